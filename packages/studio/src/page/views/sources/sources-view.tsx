import './sources.css'
import { usePolled } from '../../api/polled.ts'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { path } from '../../shell/router.ts'
import { readRecords } from '../destinations/records.ts'
import { ConnectionMatrix } from './connection-matrix.tsx'
import { NewSource } from './new-source.tsx'
import { SendEvents } from './send-events.tsx'
import { SourcePage } from './source-page.tsx'
import { SourceTable } from './source-table.tsx'

/** All sources and where they send, or one source. */
export function SourcesView() {
  const [, id] = /^\/sources\/(.+)$/.exec(path.value) ?? []
  return id === undefined ? <SourceList /> : <SourcePage key={id} id={decodeURIComponent(id)} />
}

function SourceList() {
  const { state, refresh } = usePolled('records', readRecords, 10_000)
  const { value, error } = state.value
  // Stored sources follow those of the file, the newest one last.
  const newest = value?.sources.findLast(({ enabled }) => enabled)
  return (
    <>
      <PageHead title="Sources" note="Who sends events, with a write key each." actions={<NewSource />} />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <>
          <SourceTable records={value} />
          {newest ? <SendEvents key={newest.id} source={newest} /> : null}
          <ConnectionMatrix records={value} onChanged={() => void refresh()} />
        </>
      ) : error ? null : (
        <Skeleton lines={6} />
      )}
    </>
  )
}
