// The Checkout protocol's requests and responses, with the protocol's names, so that its documentation, its callbacks
// and this package agree. Amounts are texts: `10.00` and `10` have different signatures.

/** The signed fields of a session. */
export type Order = {
  /** 1 to 255 characters; unique per payment. */
  number: string;
  /** Decimal text with the currency's decimal places, `84.50`. */
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

/** The body of POST /api/v1/session without `merchant_key` and `hash`, which are added. */
export type SessionRequest = {
  operation: 'purchase' | 'debit' | 'credit' | 'transfer';
  order: Order;
  /** Absolute addresses; the payer returns to them with a signed query. */
  success_url: string;
  cancel_url: string;
  error_url?: string;
  expiry_url?: string;
  notification_url?: string;
  methods?: string[];
  /** Additional parameters, by method. */
  parameters?: Record<string, Record<string, unknown>>;
  /** Omit it in a frame, so that the return stays in the frame. */
  url_target?: '_blank' | '_self' | '_parent' | '_top';
  /** Minutes, 1 to 720. */
  session_expiry?: number;
  /** True authorises the amount for a later capture. */
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
  /** Returned unchanged in callbacks. */
  custom_data?: Record<string, unknown>;
};

/** The payer's address. */
export type PaymentUrl = { redirectUrl: string; redirectMethod: string };

/** `operations`: includes the payment's captures, refunds, voids and chargebacks, and the refundable amount. */
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
  /** Only for a failed payment. */
  reason?: string;
  recurring_token?: string;
  schedule_id?: string;
  card_token?: string;
  digital_wallet?: string;
  order: Order;
  customer: { name?: string; email?: string };
  /** With `operations` only; oldest first. */
  operations?: Operation[];
  /** With `operations` only: the amount that can still be refunded. */
  refundable_amount?: string;
  [added: string]: unknown;
};

/** A refund was accepted; its outcome comes by callback, with the same `operation_id`. */
export type RefundAnswer = { payment_id: string; result: 'accepted'; operation_id: string };

/** The outcome of a void. A failed one does not change the payment and has a reason. */
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
