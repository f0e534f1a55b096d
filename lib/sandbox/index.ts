// The sandbox: a payment provider with its bank, a demo shop, and the guarded controls of the test clock.
// Owns sim_* and shop_*.
// May import core to http only, except test-controls.ts: provider and shop know the service by its contracts.

export { simulatorRoutes } from './provider';
export { providerPath, sandboxProviderSettings } from './provider/api-keys';
export { simulatorTick } from './provider/notifications';
export { findByOrder } from './provider/operation-queries';
export { chargeBack } from './provider/portal';
export { shopRoutes } from './shop';
export { doorOf, receiveReturn } from './shop/florin-messages';
export { viewOf } from './shop/order-view';
export { cardsOf, findOrder, findOwn, ordersOf, removeOldOrders } from './shop/orders';
export { readVisitor, visitorCookie } from './shop/visitor';
export { controlRoutes } from './test-controls';
