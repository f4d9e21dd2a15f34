import { usePolled } from '../../api/polled.ts'
import { Notice } from '../../parts/notice.tsx'
import { path } from '../../shell/router.ts'
import { readRecords } from '../destinations/records.ts'
import { ConnectionMatrix } from './connection-matrix.tsx'
import { SourcePage } from './source-page.tsx'
import { Sources } from './sources.tsx'

/** All sources and where they send, or one source. */
export function SourcesView() {
  const [, id] = /^\/sources\/(.+)$/.exec(path.value) ?? []
  return id === undefined ? <SourceList /> : <SourcePage key={id} id={decodeURIComponent(id)} />
}

function SourceList() {
  const { state, refresh } = usePolled('records', readRecords, 10_000)
  const { value, error } = state.value
  return (
    <>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <>
          <Sources sources={value.sources} />
          <h2>Connections</h2>
          <ConnectionMatrix records={value} onChanged={() => void refresh()} />
        </>
      ) : null}
    </>
  )
}
