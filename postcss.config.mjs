// Tailwind reads only app/dashboard/dashboard.css: every other style sheet passes through unchanged.

const config = { plugins: { '@tailwindcss/postcss': {} } };

export default config;
