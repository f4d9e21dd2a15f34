import { createAppendWatchers, createVersionWatchers } from '@sluice/storage/sql'
import { toTryText } from './connect/announced-try.ts'
import type { Connection } from './connect/connect.ts'
import { Notifications } from './connect/notifications.ts'
import type { ServedServer } from './connect/served-server.ts'
import type { LaneBatch } from './log/lane-batch.ts'
import { LaneTail } from './log/lane-tail.ts'
import { Membership } from './membership/membership.ts'
import { createSqlSharedRows } from './membership/sql-shared-rows.ts'
import { requireWhole } from './migrate/migration-mark.ts'
import { readStandbyWarning } from './operate/standby-warning.ts'
import type { CompleteOptions } from './postgres-store-options.ts'
import { aloneIn, knownSteps } from './prepare-tables.ts'
import { channelOf } from './store-address.ts'
import { StoreSize } from './store-size.ts'

/** The connections of a store. */
export interface StoreConnections {
  readonly connection: Connection
  /** For beats alone. */
  readonly beats: Connection
  readonly server: ServedServer
}

/** What a process has once it takes part. */
export type Joined = Awaited<ReturnType<typeof joinCluster>>

/** Takes part among the processes that share a store, without lanes: those come with `Membership.join`. */
export async function joinCluster(
  { connection, beats, server }: StoreConnections,
  { url, schema, random, recentBytesMax, times, onMissing, onWarning, onError }: CompleteOptions,
) {
  const appends = createAppendWatchers(onError)
  const versions = createVersionWatchers(onError)
  const know = ({ workspaceId, lane, position, events }: LaneBatch): void => {
    if (position > 0) membership.past.add({ workspaceId, lane, position, events: events.length })
  }
  const tail = new LaneTail({
    connection,
    recentBytesMax,
    onBatches: (workspaceId) => appends.notify(workspaceId),
    onRead: know,
  })
  const size = await StoreSize.measure(connection)
  const notifications = new Notifications({ connection: beats, url, channel: channelOf(schema), onError })
  const membership = new Membership({
    rows: createSqlSharedRows(beats, channelOf(schema)),
    server,
    random,
    times,
    knows: knownSteps,
    onLanes: () => tail.clear(),
    notify: (todo) => notifications.tell(todo),
    announce: (announced) => notifications.tell(toTryText(announced)),
    onMissing,
    onError,
  })
  // The last step that may fail: from here on, timers run.
  await aloneIn(connection, schema, async () => {
    await requireWhole(connection)
    await membership.enter()
  })
  size.follow(onError)
  const warning = await readStandbyWarning(connection.query).catch(onError)
  if (warning) onWarning(warning)
  return { appends, versions, know, tail, size, notifications, membership }
}
