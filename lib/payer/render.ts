// The only import of components from lib: components/pay renders the documents on the server.
export { renderPage } from '../../components/pay/document.tsx';
export { sampleDeclinedForm, sampleForm, sampleNow, sampleReceipt } from '../../components/pay/samples.ts';
