// E-mails and text messages to payers and users: queue, transports, the sandbox's inbox.
// Owns messages.
// May import the rooms before it: core to auth.
export { outboxRoutes } from './page.ts';
export {
  hasAllMessages,
  messagesOf,
  type PaymentMessage,
  queueEmail,
  queueMessage,
  queueReceipt,
  receiptAddress,
  recipientOf,
} from './queue.ts';
export { sendDueMessages, sendsMessages } from './send.ts';
