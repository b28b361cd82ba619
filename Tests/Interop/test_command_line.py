"""The command line as a shell sees it: exit codes, streams, signals, completion."""

import json
import shutil
import signal
import subprocess

import pytest

from gateway import BELFRY, clean_environment


def test_version(belfry):
    assert belfry("version", check=0).stdout.startswith("belfry ")
    report = json.loads(belfry("version", "--json", check=0).stdout)
    assert set(report) == {"version", "swift", "platform"}


def test_exit_codes_and_streams(belfry):
    assert belfry("help", check=0).stderr == ""
    wrong = belfry("gatway", check=2)
    assert wrong.stdout == "" and "did you mean gateway?" in wrong.stderr
    missing = belfry("lint", "no-such-file.json", check=69)
    assert "no-such-file.json" in missing.stderr


def test_output_to_a_closed_pipe_is_no_crash():
    process = subprocess.Popen([BELFRY, "help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_verb_that_does_not_wait_for_one(number):
    process = subprocess.Popen(
        [BELFRY, "lint", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=clean_environment()
    )
    # It reads its standard input, which never ends.
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=0.5)
    process.send_signal(number)
    assert process.wait(timeout=60) == 128 + number
    process.stdin.close()
    process.stdout.close()


@pytest.mark.parametrize(
    "words, expected",
    [
        (["belfry", "ver"], {"version"}),
        (["belfry", "lint", "--push-type", "back"], {"background"}),
        (["belfry", "lint", "--push-type", "=", "back"], {"background"}),
        (["belfry", "--json", "completion", "z"], {"zsh"}),
        (["belfry", "gateway", "--control"], {"--control-port"}),
        (["belfry", "gateway", "--port", ""], set()),
    ],
)
def test_bash_completes(belfry, words, expected):
    script = belfry("completion", "bash", check=0).stdout
    quoted = " ".join(f"'{word}'" for word in words)
    script += f"\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _belfry; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert set(result.stdout.split()) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_is_correct_shell(belfry, shell):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    script = belfry("completion", shell, check=0).stdout
    result = subprocess.run([shell, "-n", "/dev/stdin"], input=script, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_man_page_has_no_warnings(belfry):
    if not shutil.which("groff"):
        pytest.skip("groff is not installed")
    page = belfry("help", "--man", check=0).stdout
    result = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True, text=True, check=True
    )
    assert result.stderr == ""
