import { SparkBars } from '../../parts/charts/spark-bars.tsx'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { Time } from '../../parts/format/time.tsx'
import { Tile, Tiles } from '../../parts/page/tile.tsx'
import type { Load, Misfit, Warehouse } from './warehouse.ts'

interface LoadTilesProps {
  readonly warehouse: Warehouse
  /** The last attempts, newest first. */
  readonly loads: readonly Load[]
  readonly misfits: readonly Misfit[]
}

/** The state of a warehouse in four numbers. */
export function LoadTiles({ warehouse: { lastLoad, pending }, loads, misfits }: LoadTilesProps) {
  const failed = loads.filter(({ error }) => error !== undefined).length
  const values = misfits.reduce((sum, misfit) => sum + (misfit.values ?? 0), 0)
  const first = misfits[0]
  return (
    <Tiles isFour>
      <Tile
        title="Last load"
        value={lastLoad === undefined ? 'None yet' : `${countText(lastLoad.events)} events`}
        note={lastLoad === undefined ? 'Events are loaded together' : <LastLoad load={lastLoad} />}
      />
      <Tile
        title={loads.length === 1 ? 'The last attempt' : `The last ${loads.length} loads`}
        value={failed === 0 ? 'All worked' : `${failed} failed`}
        note={failed === 0 ? '' : `${loads.length - failed} worked`}
        chart={
          <SparkBars
            values={[...loads].reverse().map(({ events }) => events)}
            state={failed === 0 ? 'good' : 'bad'}
            label={`Events in the last ${loads.length} loads: ${failed} failed`}
          />
        }
      />
      <Tile title="In the next load" value={countText(pending)} note="Events that were accepted, and wait" />
      <Tile
        title="Did not fit"
        value={
          <span class={values > 0 ? 'in bad' : ''}>{values === 1 ? '1 value' : `${countText(values)} values`}</span>
        }
        note={first === undefined ? 'In the last loads' : `${first.table}.${first.column}: ${first.reason}`}
      />
    </Tiles>
  )
}

function LastLoad({ load: { startedAt, endedAt, tables = [], others } }: { readonly load: Load }) {
  const count = tables.length + (others?.tables ?? 0)
  return (
    <>
      <Time at={endedAt} />, in {durationText(Date.parse(endedAt) - Date.parse(startedAt))},{' '}
      {count === 1 ? '1 table' : `${count} tables`}
    </>
  )
}
