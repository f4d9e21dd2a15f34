import type { DeliverableEvent, EventDelivery } from '../event-delivery.ts'

type Deliveries<T extends DeliverableEvent> = readonly EventDelivery<T>[]

/**
 * Separates the events of users with an event that waits for an answer from all others, which need not wait.
 *
 * @param sharesBatches whether events of several users may share a request. Then all that wait are one group, which is
 * sent together; otherwise each user is a group.
 */
export function apartByWaiting<T extends DeliverableEvent>(
  deliveries: Deliveries<T>,
  sharesBatches: boolean,
): { readonly waiting: readonly Deliveries<T>[]; readonly ready: Deliveries<T> } {
  const users = new Set(deliveries.filter(({ open }) => open).map(({ item }) => item.userKey))
  if (users.size === 0) return { waiting: [], ready: deliveries }
  const groups = new Map<string, EventDelivery<T>[]>()
  const ready: EventDelivery<T>[] = []
  for (const delivery of deliveries) {
    const { userKey } = delivery.item
    const key = sharesBatches ? '' : userKey
    if (!users.has(userKey)) ready.push(delivery)
    else if (!groups.get(key)?.push(delivery)) groups.set(key, [delivery])
  }
  return { waiting: [...groups.values()], ready }
}

/**
 * Returns the events that can be sent together next: of each user those up to the first that waits for an answer, which
 * may depend on the events before the next one. Keeps their order.
 */
export function splitAtQuestions<T extends DeliverableEvent>(
  deliveries: Deliveries<T>,
): { readonly next: Deliveries<T>; readonly later: Deliveries<T> } {
  const full = new Set<string>()
  const next: EventDelivery<T>[] = []
  const later: EventDelivery<T>[] = []
  for (const delivery of deliveries) {
    const { userKey } = delivery.item
    if (full.has(userKey)) later.push(delivery)
    else next.push(delivery)
    if (delivery.open) full.add(userKey)
  }
  return { next, later }
}
