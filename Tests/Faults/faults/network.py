"""A network of namespaces in which packets between a node and a server can be dropped or refused.

The script runs in a network namespace of its own (main.py), so that nothing here touches the machine's network:

    node 1 ── router ── this namespace: database 10.231.0.1, APNs 10.231.0.2
    node 2 ──/
"""

import os
import subprocess

DATABASE = "10.231.0.1"
APNS = "10.231.0.2"
# Where requests to the nodes come from: no cut concerns them.
CLIENT = "10.231.0.3"


def ip(*words):
    subprocess.run(["ip", *words], check=True)


class Network:
    """The namespaces of one run."""

    def __init__(self, node_count):
        self.name = f"belfry-{os.getpid()}"
        self.router = f"{self.name}-router"
        self.nodes = [f"{self.name}-node{number}" for number in range(1, node_count + 1)]
        try:
            ip("netns", "add", self.router)
            self._connect("hub0", None, "10.231.0.254")
            for address in [CLIENT, DATABASE, APNS]:
                ip("address", "add", f"{address}/24", "dev", "hub0")
            ip("route", "add", "10.231.0.0/16", "via", "10.231.0.254", "src", CLIENT)
            for number, node in enumerate(self.nodes, 1):
                ip("netns", "add", node)
                self._connect(f"node{number}", node, f"10.231.{number}.1")
                ip("-n", node, "address", "add", f"10.231.{number}.2/24", "dev", f"node{number}")
                ip("-n", node, "route", "add", "default", "via", f"10.231.{number}.1")
            forward = "echo 1 >/proc/sys/net/ipv4/ip_forward"
            subprocess.run(["ip", "netns", "exec", self.router, "sh", "-c", forward], check=True)
            self._rules("add table inet faults; add chain inet faults cut { type filter hook forward priority 0; }")
        except BaseException:
            self.end()
            raise

    def _connect(self, device, namespace, router_address):
        """A wire between a namespace and the router."""
        far = f"to-{device}"
        ip("link", "add", device, "type", "veth", "peer", "name", far, "netns", self.router)
        ip("-n", self.router, "address", "add", f"{router_address}/24", "dev", far)
        ip("-n", self.router, "link", "set", far, "up")
        if namespace:
            ip("link", "set", device, "netns", namespace)
            ip("-n", namespace, "link", "set", "lo", "up")
            ip("-n", namespace, "link", "set", device, "up")
        else:
            ip("link", "set", device, "up")

    def _rules(self, text):
        subprocess.run(["ip", "netns", "exec", self.router, "nft", text], check=True)

    def prefix(self, number):
        """What a command begins with to run as node 1, 2…"""
        return ["ip", "netns", "exec", self.nodes[number - 1]]

    @staticmethod
    def address(number):
        return f"10.231.{number}.2"

    def cut(self, numbers, server, is_refused):
        """Drops all packets between nodes and a server without a word, or answers each with a reset."""
        verdict = "meta l4proto tcp reject with tcp reset" if is_refused else "drop"
        for number in numbers:
            node = self.address(number)
            for way in [f"ip saddr {node} ip daddr {server}", f"ip saddr {server} ip daddr {node}"]:
                self._rules(f"add rule inet faults cut {way} {verdict}")

    def heal(self):
        self._rules("flush chain inet faults cut")

    def end(self):
        for name in [*self.nodes, self.router]:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)
        subprocess.run(["ip", "link", "delete", "hub0"], capture_output=True, check=False)
