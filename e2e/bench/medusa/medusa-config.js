// Medusa with its payment module and the provider of the benchmark; other-service.ts starts it.
const { defineConfig } = require('@medusajs/framework/utils');

const { DATABASE_URL: databaseUrl, POOL_SIZE, SECRET: secret } = process.env;
const pool = { min: Number(POOL_SIZE), max: Number(POOL_SIZE) };

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl,
    databaseDriverOptions: { connection: { ssl: false }, pool },
    http: { storeCors: '', adminCors: '', authCors: '', jwtSecret: secret, cookieSecret: secret },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: { providers: [{ resolve: require.resolve('./provider'), id: 'bench' }] },
    },
  ],
});
