// Next serves the app's pages. The table of routes serves the protocols and the payers' pages and sets its own headers.

/** @type {import('next').NextConfig} */
const config = {
  // Tests build while a server runs, so each can have a folder of its own.
  distDir: process.env.NEXT_DIST_DIR || '.next',
  poweredByHeader: false,
  // No page uses the image optimizer, which makes requests and scales images for every client.
  images: { unoptimized: true },
  // Page code is loaded at the first visit, which takes 20 to 60 ms. Preloading it would use memory in processes that
  // serve only the protocols.
  experimental: { preloadEntriesOnStart: false },
  reactStrictMode: true,
  // Types are checked separately (npm run types).
  typescript: { ignoreBuildErrors: true, tsconfigPath: process.env.NEXT_TSCONFIG || 'tsconfig.json' },
  serverExternalPackages: [
    'pg',
    '@prisma/adapter-pg',
    '@prisma/client',
    'pino',
    'undici',
    'nodemailer',
    'pdfkit',
    'bwip-js',
    'asn1js',
    'pkijs',
    'node-forge',
  ],
  outputFileTracingExcludes: { '*': ['./.data/**'] },
  async headers() {
    return [
      {
        source: '/:path*',
        headers: [
          { key: 'X-Content-Type-Options', value: 'nosniff' },
          { key: 'Referrer-Policy', value: 'no-referrer' },
        ],
      },
    ];
  },
};

export default config;
