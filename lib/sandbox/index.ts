// The sandbox: a payment provider with its bank, a demo shop, and the guarded controls of the test clock.
// Owns sim_* and shop_*.
// May import core to http only, except control.ts: provider and shop know the service by its contracts.
export { controlRoutes } from './control';
export { simulatorRoutes } from './provider';
export { providerPath, sandboxProviderSettings } from './provider/keys';
export { simulatorTick } from './provider/notifications';
export { findByOrder } from './provider/operations';
export { chargeBack } from './provider/portal';
export { shopRoutes } from './shop';
export { cardsOf } from './shop/cards';
export { doorOf, receiveReturn } from './shop/messages';
export { findOrder, findOwn, ordersOf, removeOldOrders } from './shop/orders';
export { viewOf } from './shop/views';
export { readVisitor, visitorCookie } from './shop/visitor';
