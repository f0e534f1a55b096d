// Next serves the app's pages; the addresses of the protocols and of the payers' pages are answered by the table of
// routes, which sets its own headers.

/** @type {import('next').NextConfig} */
const config = {
  // A test builds beside a running server, so each may have a folder of its own.
  distDir: process.env.NEXT_DIST_DIR || '.next',
  poweredByHeader: false,
  // A page's code is loaded with its first visit: what is loaded at the start is kept by servers of protocols too, which never
  // read it, and saves a first visitor 20 to 60 ms.
  experimental: { preloadEntriesOnStart: false },
  reactStrictMode: true,
  // The types are a check of their own (npm run types).
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
  ],
  outputFileTracingExcludes: { '*': ['./.data/**'] },
  // A page and its Markdown are two handlers, which Next wants in two folders.
  async rewrites() {
    return [
      { source: '/docs/:page([\\w-]+).md', destination: '/docs/text/:page.md' },
      { source: '/docs/:folder([\\w-]+)/:page([\\w-]+).md', destination: '/docs/text/:folder/:page.md' },
      {
        source: '/docs/reference/:protocol([\\w-]+)/:page([\\w-]+).md',
        destination: '/docs/text/reference/:protocol/:page.md',
      },
    ];
  },
  async headers() {
    return [
      {
        source: '/:path*',
        headers: [
          { key: 'X-Content-Type-Options', value: 'nosniff' },
          { key: 'Referrer-Policy', value: 'no-referrer' },
        ],
      },
      {
        source: '/sdk/:path*',
        headers: [
          { key: 'Access-Control-Allow-Origin', value: '*' },
          { key: 'Cross-Origin-Resource-Policy', value: 'cross-origin' },
        ],
      },
      {
        // A name with the hash of the content: what it stands for never changes.
        source: '/sdk/:file([a-z-]+\\.[0-9a-f]{12}\\.[a-z]+)',
        headers: [{ key: 'Cache-Control', value: 'public, max-age=31536000, immutable' }],
      },
    ];
  },
};

export default config;
