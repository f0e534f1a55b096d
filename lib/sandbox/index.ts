// The sandbox: a payment provider with its bank, a demo shop, and the guarded controls of the test clock.
// Owns sim_* and shop_*.
// May import core to http only: provider and shop know the service by its contracts.

export { providerPath, sandboxProviderSettings } from './provider/api-keys.ts';
export { simulatorTick } from './provider/completion.ts';
export { findByOrder } from './provider/operation-queries.ts';
export { chargeBack } from './provider/portal.ts';
export { simulatorRoutes } from './provider/provider.ts';
export { controlRoutes } from './routes.ts';
export { doorOf, receiveReturn } from './shop/florin-messages.ts';
export { shopRoutes } from './shop/index.ts';
export { viewOf } from './shop/order-view.ts';
export { cardsOf, findOrder, findOwn, ordersOf, removeOldOrders } from './shop/orders.ts';
export { readVisitor, visitorCookie } from './shop/requests.ts';
