import { bytesText } from '../../parts/format/bytes-text.ts'
import { durationText } from '../../parts/format/duration-text.ts'
import { Time } from '../../parts/format/time.tsx'
import { Tile, Tiles } from '../../parts/page/tile.tsx'
import type { Server } from './server.ts'

/** Version, uptime, store, how long the log keeps events, and where regulations are kept a second time. */
export function ServerTiles({ server }: { readonly server: Server }) {
  const { version, startedAt, uptimeSeconds, store, ledger, retention, cluster } = server
  return (
    <Tiles>
      <Tile title="Version" value={version} note="Of the process that answers" />
      <Tile
        title="Runs for"
        value={durationText(uptimeSeconds * 1_000)}
        note={
          <>
            Since <Time at={startedAt} />
            {cluster?.isLeader ? '; it leads the others' : ''}
          </>
        }
      />
      <Tile
        title="Store"
        value={store.kind === 'memory' ? 'Memory' : (store.kind ?? 'Of its own')}
        note={store.logBytes === undefined ? '' : `${bytesText(store.logBytes)} of events of this workspace`}
      />
      <Tile
        title="Log keeps"
        value={durationText(retention.ageMs)}
        note={`Or ${bytesText(retention.bytesMax)}, once all have it`}
      />
      <Tile
        title="Ledger of regulations"
        value={ledger === undefined ? 'None' : 'Kept'}
        note={ledger ?? 'A store that is restored forgets later regulations'}
      />
    </Tiles>
  )
}
