# mneme in an image of its own: the static binary and certificates, no shell, not root.
# Neo4j's part is in docker-compose.yml; this alone serves the embedded store:
#   docker build -t mneme .
#   docker run -p 127.0.0.1:8080:8080 -v mneme:/data -e MNEME_API_KEY mneme

FROM golang:1.26 AS build
WORKDIR /src
# the modules first: they change less often than the code
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/mneme . \
 && mkdir /out/data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/mneme /usr/local/bin/mneme
# a new volume takes over the owner of what it is mounted on
COPY --from=build --chown=65532:65532 /out/data /data
# for the health check only: there is no shell here that could ask
COPY --from=busybox:1.37-musl /bin/wget /usr/local/bin/wget
USER 65532:65532
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["/usr/local/bin/wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8080/readyz"]
ENTRYPOINT ["/usr/local/bin/mneme"]
# beyond loopback mneme serves only with MNEME_API_KEY set
CMD ["serve", "--listen", "0.0.0.0:8080", "--data", "/data"]
