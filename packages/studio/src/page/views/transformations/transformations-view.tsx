import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { visitor } from '../../api/session.ts'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { lazy } from '../../parts/lazy.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { addressOf, filters, path, setFilters } from '../../shell/router.ts'
import { readAllCode } from './all-code.ts'
import { Libraries } from './libraries/libraries.tsx'
import { NewCode } from './new-code.tsx'
import { TransformationList } from './transformation-list.tsx'

const Workbench = lazy(() => import('./bench/workbench.tsx').then(({ Workbench }) => Workbench))
const LibraryPage = lazy(() => import('./libraries/library-page.tsx').then(({ LibraryPage }) => LibraryPage))

/** All transformations and libraries, or the workbench or page of one. */
export function TransformationsView() {
  if (path.value === '/transformations') return <All />
  return path.value.startsWith('/transformations/libraries/') ? (
    <LibraryPage key={path.value} />
  ) : (
    <Workbench key={path.value} />
  )
}

function All() {
  const { value, error } = usePolled('transformations', readAllCode, 10_000).state.value
  const [search, setSearch] = useState('')
  const shown = filters.value['show'] === 'libraries' ? 'libraries' : 'transformations'
  return (
    <>
      <PageHead
        title="Transformations"
        note="Your own code on events: write it, try it, publish it, and choose where it runs."
        actions={
          <>
            {shown === 'transformations' ? (
              <SearchField label="Name or code" value={search} onInput={setSearch} />
            ) : null}
            {visitor.value?.hasPlayground ? (
              <a class="btn" href="/studio/playground/index.html" target="_blank" rel="noreferrer">
                Try code in the playground
              </a>
            ) : null}
            <NewCode kind={shown} />
          </>
        }
      />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <section class="panel" aria-label="Code">
          <Tabs
            label="Code"
            kind="inset"
            value={shown}
            onChange={(show) => setFilters({ show: show === 'libraries' ? show : undefined })}
            tabs={[
              {
                id: 'transformations',
                title: 'Transformations',
                count: String(value.transformations.length),
                content: () => <TransformationList transformations={value.transformations} search={search} />,
              },
              {
                id: 'libraries',
                title: 'Libraries',
                count: String(value.libraries.length),
                content: () => <Libraries all={value} />,
              },
            ]}
          />
        </section>
      ) : error ? null : (
        <Skeleton />
      )}
      <p class="soft">
        Code of the workspace file is listed at its <a href={addressOf('/destinations')}>destinations</a>.
      </p>
    </>
  )
}
