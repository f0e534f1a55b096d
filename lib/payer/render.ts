// The only door from lib to components: the documents of components/pay are drawn on the server.
export { renderPage } from '../../components/pay/render';
export { sampleNow, samples } from '../../components/pay/samples';
