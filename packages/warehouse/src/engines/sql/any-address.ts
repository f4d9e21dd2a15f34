import { createGuardedSockets, type GuardedSockets } from '@sluice/delivery'

/** Sockets that connect to any address: for programs that load warehouses themselves. */
export const anyAddress: GuardedSockets = createGuardedSockets(['0.0.0.0/0', '::/0'])
