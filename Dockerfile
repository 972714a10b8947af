# The release of `npm pack` on Debian. Its dependencies bring the Node that every test ran on, so none is needed beside it.
#   docker build -t chartgate .
#   docker buildx build --platform linux/amd64,linux/arm64 -t chartgate .
ARG BUILD_IMAGE=docker.io/library/node:24-bookworm-slim
ARG RUNTIME_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /source
COPY package.json package-lock.json ./
COPY tools ./tools
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /tmp \
  && mkdir /app \
  && tar -xzf /tmp/chartgate-*.tgz -C /app --strip-components=1
WORKDIR /app
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf /root/.npm

FROM ${RUNTIME_IMAGE}
LABEL org.opencontainers.image.title="Chartgate" \
      org.opencontainers.image.description="A patient's health record, read by an AI agent or a partner system only while the patient consents" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --system --gid 10001 chartgate \
  && useradd --system --uid 10001 --gid chartgate --home-dir /nonexistent --shell /usr/sbin/nologin chartgate \
  && install --directory --mode 0700 --owner chartgate --group chartgate /data
COPY --from=build /app /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    CHARTGATE_DATA_DIR=/data \
    MALLOC_ARENA_MAX=1 \
    PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
# A number, since orchestrators check by it that this is not root.
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# A node that is stopping, or whose store is away, is alive and not ready: only an orchestrator can tell these apart.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "dist/chartgate.js"]
CMD ["serve"]
