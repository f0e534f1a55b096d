// The only import of components from lib: components/pay renders the documents on the server.
export { renderCardLogos } from '../../components/pay/card-logos.tsx';
export { renderPage } from '../../components/pay/document.tsx';
export { sampleNow } from '../../components/pay/samples.ts';
export { samples } from '../../components/pay/state-samples.ts';
