// The Checkout protocol's requests and answers, spelt as the protocol spells them, so that its documentation, its
// callbacks and this package say the same words. Amounts are texts: `10.00` and `10` are different signatures.

/** What goes into the signature of a session. */
export type Order = {
  /** 1 to 255 characters; unique per payment. */
  number: string;
  /** Decimal text with the currency's places, `84.50`. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** 2 to 1024 characters. */
  description: string;
};

export type Customer = { name?: string; email?: string; birth_date?: string; ip?: string };

export type BillingAddress = {
  /** ISO 3166-1 alpha-2. */
  country?: string;
  state?: string;
  city?: string;
  district?: string;
  address?: string;
  house_number?: string;
  zip?: string;
  phone?: string;
  phone_country_code?: string;
  /** Language of the hosted page. */
  language?: string;
};

/** POST /api/v1/session without `merchant_key` and `hash`, which are added. */
export type SessionRequest = {
  operation: 'purchase' | 'debit' | 'credit' | 'transfer';
  order: Order;
  /** Absolute addresses; the payer comes back to them with a signed query. */
  success_url: string;
  cancel_url: string;
  error_url?: string;
  expiry_url?: string;
  notification_url?: string;
  methods?: string[];
  /** By method, what the method takes besides. */
  parameters?: Record<string, Record<string, unknown>>;
  /** In a frame leave it out, so that the way back stays in the frame. */
  url_target?: '_blank' | '_self' | '_parent' | '_top';
  /** Minutes, 1 to 720. */
  session_expiry?: number;
  /** True holds the money for a later capture. */
  auth?: boolean;
  req_token?: boolean;
  recurring_init?: boolean;
  vat_calc?: boolean;
  card_token?: string | string[];
  /** With `recurring_init`. */
  schedule_id?: string;
  schedule_start_date?: string;
  payment_schedule_amount?: string;
  customer?: Customer;
  billing_address?: BillingAddress;
  payer_ip?: string;
  payee?: Customer & { phone?: string };
  payee_billing_address?: BillingAddress;
  payee_first_name?: string;
  payee_last_name?: string;
  channel_id?: string;
  form_id?: string;
  /** Comes back in callbacks as it is. */
  custom_data?: Record<string, unknown>;
};

/** Where the payer goes. */
export type PaymentUrl = { redirectUrl: string; redirectMethod: string };

/** `operations`: with the payment's captures, refunds, voids and chargebacks, and what can still be refunded. */
export type StatusQuery =
  | { paymentId: string; operations?: boolean }
  | { orderId: string; operations?: boolean }
  | OrderListQuery;

/** The most recent payments of an order number, 1 to 100. */
export type OrderListQuery = { orderId: string; size: number; operations?: boolean };

export type PaymentState =
  | 'prepare'
  | 'settled'
  | 'pending'
  | '3ds'
  | 'redirect'
  | 'decline'
  | 'refund'
  | 'reversal'
  | 'void'
  | 'chargeback';

/** A capture, refund, void, reversal or chargeback of a payment. */
export type Operation = {
  operation_id: string;
  type: 'capture' | 'refund' | 'void' | 'reversal' | 'chargeback';
  status: 'success' | 'fail' | 'waiting';
  amount: string;
  /** `YYYY-MM-DD hh:mm:ss`, UTC. */
  date: string;
  reason?: string;
};

/** A payment. The protocol mapping may add members, `card` and `brand` among them. */
export type PaymentStatus = {
  payment_id: string;
  /** `YYYY-MM-DD hh:mm:ss`, UTC. */
  date: string;
  status: PaymentState;
  /** Only of a payment that failed. */
  reason?: string;
  recurring_token?: string;
  schedule_id?: string;
  card_token?: string;
  digital_wallet?: string;
  order: Order;
  customer: { name?: string; email?: string };
  /** Asked for by `operations`, oldest first. */
  operations?: Operation[];
  /** Asked for by `operations`: what can still be refunded. */
  refundable_amount?: string;
  [added: string]: unknown;
};

/** A refund was taken on; its outcome comes by callback, with the same `operation_id`. */
export type RefundAnswer = { payment_id: string; result: 'accepted'; operation_id: string };

/** The outcome of a void. A failed one leaves the payment as it was and has a reason. */
export type VoidAnswer = {
  payment_id: string;
  status: PaymentState;
  payment_status: PaymentState;
  trans_status: 'SUCCESS' | 'FAIL' | 'WAITING' | 'UNDEFINED';
  date: string;
  reason?: string;
  operation_id: string;
  order: Order;
};

/** The four calls of the client. */
export type CallName = 'session' | 'status' | 'refund' | 'void';

/** Their paths, the same at the payment service and at a merchant's own server. */
export const paths: Readonly<Record<CallName, string>> = {
  session: '/api/v1/session',
  status: '/api/v1/payment/status',
  refund: '/api/v1/payment/refund',
  void: '/api/v1/payment/void',
};
