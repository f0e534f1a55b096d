// A sale by Medusa's payment module: a collection, a session, its authorisation by the provider, and the capture.
const { Modules } = require('@medusajs/framework/utils');

exports.POST = async (request, response) => {
  const { amount, currency, ...card } = request.body;
  const payments = request.scope.resolve(Modules.PAYMENT);
  const sum = { amount, currency_code: currency };
  const collection = await payments.createPaymentCollections(sum);
  const data = { amount, currency, ...card };
  const session = await payments.createPaymentSession(collection.id, { ...sum, provider_id: 'pp_bench_bench', data });
  const payment = await payments.authorizePaymentSession(session.id, {});
  response.json({ payment: payment.id, captured_at: payment.captured_at });
};
