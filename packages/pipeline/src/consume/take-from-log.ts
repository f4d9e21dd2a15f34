import type { LogCursor } from './cursor/log-cursor.ts'
import { deliverFromLog } from './deliver/deliver-from-log.ts'
import type { DestinationPlace } from './destination-place.ts'
import { loadFromLog } from './load/load-from-log.ts'
import { Loading } from './load/loading.ts'

/**
 * Returns the loop of the consumer of one destination. A destination may begin to load events, or to send
 * them, between two reads. While it loads, the state of its loads is kept until its settings change.
 */
export function takeFromLog(place: DestinationPlace): (cursor: LogCursor) => Promise<void> {
  let loading: Loading | undefined
  return async (cursor) => {
    while (cursor.isOpen) {
      const { loader } = place.current().path
      if (loader === undefined) await deliverFromLog(cursor, place)
      else {
        if (loading?.loader !== loader) loading = new Loading(loader, place)
        await loadFromLog(cursor, place, loading)
      }
    }
  }
}
