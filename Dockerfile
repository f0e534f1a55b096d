# Florin for a deployment: every process (serving, worker, migrations) is this image with another command or other settings.
# PostgreSQL is not included: DATABASE_URL is its address. docs/operations/high-availability.md describes how the parts fit together.
# The digests name the images for all platforms; Dependabot replaces them.
FROM node:24-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && node scripts/image/collect.ts /florin

# Debian with Node's binary alone: no npm, no sources, no build tools. `npm run florin -- image` checks this.
FROM debian:bookworm-slim@sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251 AS florin
# scripts/project.ts explains the memory settings here and in CMD.
ENV NODE_ENV=production APP_ENV=production PORT=3000 NEXT_TELEMETRY_DISABLED=1 MALLOC_TRIM_THRESHOLD_=131072
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /florin /app
WORKDIR /app
# Everything is owned by root except the folders that commands and Next write to.
RUN useradd --uid 1000 --user-group --create-home node && install -d -o node -g node .data .next/cache \
  && chmod 755 dist/florin.js && ln -s /app/dist/florin.js /usr/local/bin/florin
USER node
EXPOSE 3000
# With HOST the server listens at that address alone.
HEALTHCHECK --interval=10s --timeout=4s --start-period=30s --retries=3 \
  CMD ["node", "-e", "const { HOST: host = '', PORT } = process.env; fetch(`http://${host.includes(':') ? `[${host}]` : host || '127.0.0.1'}:${PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=60", "--no-allocation-site-pretenuring", "dist/server.js"]

# Debian's PgBouncer with the settings that npm run chaos -- scale tests. PRIMARY_HOST, PRIMARY_PORT and PASSWORD are those of
# the database.
FROM debian:bookworm-slim@sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251 AS pgbouncer
RUN apt-get update && apt-get install -y --no-install-recommends pgbouncer gettext-base && rm -rf /var/lib/apt/lists/*
COPY scripts/image/pgbouncer.ini /etc/florin/pgbouncer.ini
ENV ADDRESS=0.0.0.0 PORT=6432 FOLDER=/tmp
USER postgres
EXPOSE 6432
CMD ["/bin/sh", "-c", "umask 077 && envsubst < /etc/florin/pgbouncer.ini > /tmp/pgbouncer.ini && printf '\"florin\" \"%s\"\\n' \"$PASSWORD\" > /tmp/userlist.txt && exec pgbouncer /tmp/pgbouncer.ini"]

# The last stage is what `docker build .` builds.
FROM florin
