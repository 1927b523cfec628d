# The service, the worker and the command line as one image. It has no PostgreSQL of its own: set DATABASE_URL.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# With the optional packages: the build of the pages needs its native ones.
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --omit=optional --no-audit --no-fund

FROM node:24-bookworm-slim
# git: a worker makes a work tree for each task. bubblewrap: confines signed tools.
RUN apt-get update && apt-get install -y --no-install-recommends git bubblewrap ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/switchyard
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY bin bin
COPY policies policies
RUN ln -s /opt/switchyard/bin/switchyard.js /usr/local/bin/switchyard && mkdir /data && chown node:node /data
USER node
WORKDIR /data
ENV HOST=0.0.0.0 DATA_DIR=/data
EXPOSE 8000 9000
VOLUME /data
# Not ready is no reason to be killed: this asks whether it lives.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:8000/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["switchyard"]
CMD ["serve"]
