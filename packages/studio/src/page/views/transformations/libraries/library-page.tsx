import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { Notice } from '../../../parts/notice.tsx'
import { PageHead } from '../../../parts/page/page-head.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { path } from '../../../shell/router.ts'
import { readAllCode } from '../all-code.ts'
import type { Library } from '../transformation.ts'
import { LibraryBench, libraryCrumbs } from './library-bench.tsx'
import type { LibraryVersion } from './library-versions.tsx'
import type { LibraryContent } from './use-library.ts'

/** One library: its code, what imports it, and its versions. */
export function LibraryPage() {
  const id = path.value.slice('/transformations/libraries/'.length)
  const { state, refresh } = usePolled(`library ${id}`, (signal) => readPage(id, signal), 10_000)
  const { value, error } = state.value
  if (value) return <LibraryBench key={id} {...value} onChanged={refresh} />
  return (
    <>
      <PageHead title="Library" crumbs={libraryCrumbs} />
      {error ? <Notice kind="bad">{error.message}</Notice> : <Skeleton isTall />}
    </>
  )
}

async function readPage(id: string, signal: AbortSignal): Promise<LibraryContent> {
  const address = `/libraries/${encodeURIComponent(id)}`
  const [library, { libraryVersions: versions }, all] = await Promise.all([
    request<Library>(address, { signal }),
    request<{ readonly libraryVersions: readonly LibraryVersion[] }>(`${address}/versions?orderBy=DESC`, { signal }),
    readAllCode(signal),
  ])
  return { library, versions, all }
}
