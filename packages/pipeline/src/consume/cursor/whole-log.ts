import type { ConsumerLog, EventLog } from '../../ports/event-log.ts'
import type { LogPosition } from '../../ports/log-position.ts'

/** Returns the log of a workspace as seen by a consumer that reads all of it. @param cursor of the consumer. */
export async function wholeLog(
  log: EventLog,
  workspaceId: string,
  consumer: string,
  cursor: LogPosition,
): Promise<ConsumerLog> {
  return {
    cursor,
    eventsDone: await log.eventsDone(workspaceId, consumer),
    read: (after, limit, bytesMax) => log.read(workspaceId, after, limit, bytesMax),
    oldestBehind: async (position) => (await log.read(workspaceId, position, 1))[0]?.receivedAt,
    commit: (progress) => log.commit({ workspaceId, consumer, ...progress }),
    watch: (listener) => log.watch(workspaceId, listener),
  }
}
