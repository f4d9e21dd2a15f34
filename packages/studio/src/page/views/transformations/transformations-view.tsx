import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows, visitor } from '../../api/session.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/format/time.tsx'
import { lazy } from '../../parts/lazy.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import { go, path } from '../../shell/router.ts'
import { readAllCode } from './all-code.ts'
import { Libraries } from './libraries/libraries.tsx'
import type { Transformation } from './transformation.ts'
import { transformationColumns } from './transformation-columns.tsx'

const Workbench = lazy(() => import('./workbench.tsx').then(({ Workbench }) => Workbench))
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

const firstCode = `/** Returns the event to pass it on, changed or not; null drops it. */
export function transformEvent(event, metadata) {
  return event
}
`

function All() {
  const { value, error } = usePolled('transformations', readAllCode, 10_000).state.value
  const action = useAction()
  return (
    <>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {allows('write') ? (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault()
            const name = String(new FormData(event.currentTarget).get('name') ?? '')
            void action.run(async () => {
              const { id } = await request<Transformation>('/transformations', {
                method: 'POST',
                body: { name, code: firstCode },
              })
              go(`/transformations/${id}`)
              return undefined
            })
          }}
        >
          <label>
            Name of a new transformation
            <input name="name" required maxLength={200} />
          </label>
          <button type="submit" disabled={action.isBusy}>
            Create
          </button>
        </form>
      ) : null}
      <Outcome action={action} />
      {visitor.value?.hasPlayground ? (
        <p>
          <a href="/studio/playground/index.html" target="_blank" rel="noreferrer">
            Try code in the playground
          </a>
          <span class="hint">, a page of its own that neither reads nor changes this server.</span>
        </p>
      ) : null}
      {value ? (
        <>
          <DataTable
            caption="Transformations"
            rows={value.transformations}
            keyOf={({ id }) => id}
            empty="There is none yet. Transformations of the workspace file are listed at their destinations."
            columns={[
              ...transformationColumns,
              { title: 'runs at', cell: ({ destinations = [] }) => destinations.map(({ name }) => name).join(', ') },
              { title: 'saved', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
            ]}
          />
          <Libraries all={value} />
        </>
      ) : null}
    </>
  )
}
