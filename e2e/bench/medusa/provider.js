// A payment provider of Medusa that charges a card over the provider contract, as Florin does in the benchmark.
const { AbstractPaymentProvider, ModuleProvider, Modules } = require('@medusajs/framework/utils');

const unchanged = async ({ data }) => ({ data });

class BenchProvider extends AbstractPaymentProvider {
  static identifier = 'bench';

  async initiatePayment({ data }) {
    return { id: data.reference, status: 'pending', data };
  }

  async authorizePayment({ data }) {
    const answer = await fetch(`${process.env.PROVIDER_URL}/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': data.reference },
      body: JSON.stringify(data),
    });
    const paid = await answer.json();
    return { status: paid.status === 'approved' ? 'captured' : 'error', data: paid };
  }

  async getPaymentStatus({ data }) {
    return { status: 'captured', data };
  }

  async getWebhookActionAndData() {
    return { action: 'not_supported' };
  }

  capturePayment = unchanged;
  cancelPayment = unchanged;
  deletePayment = unchanged;
  refundPayment = unchanged;
  retrievePayment = unchanged;
  updatePayment = unchanged;
}

module.exports = ModuleProvider(Modules.PAYMENT, { services: [BenchProvider] });
