# Belfry in a container. Needs Debian's packages and Swift's image, nothing else.
#
#   docker build -t belfry .
#   docker run -v belfry:/var/lib/belfry -p 127.0.0.1:8080:8080 belfry
FROM swift:6.2-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
        make pkg-config libssl-dev libuv1-dev libnghttp2-dev libmicrohttpd-dev zlib1g-dev libsqlite3-dev \
        libpcre2-dev libbson-dev libcurl4-openssl-dev libsystemd-dev libpq-dev dpkg-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /belfry
COPY . .
RUN make deb

FROM debian:bookworm-slim
RUN --mount=from=build,source=/belfry/build,target=/build \
    apt-get update && apt-get install -y --no-install-recommends /build/belfry_*.deb \
    && rm -rf /var/lib/apt/lists/*
USER belfry
VOLUME /var/lib/belfry
EXPOSE 8080
# All addresses of the container; what is published is the choice of `docker run -p`.
ENTRYPOINT ["belfry"]
CMD ["serve", "--data", "/var/lib/belfry", "--host", "0.0.0.0"]
