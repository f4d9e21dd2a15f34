import type { StreamMessage } from '@sluice/destinations'

/** Returns the indexes of messages by a member, such as their topic, in the order of the messages. */
export function indexesBy(messages: readonly StreamMessage[], member: string): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, message] of messages.entries()) {
    const name = String(message[member])
    const indexes = groups.get(name)
    if (indexes) indexes.push(index)
    else groups.set(name, [index])
  }
  return groups
}
