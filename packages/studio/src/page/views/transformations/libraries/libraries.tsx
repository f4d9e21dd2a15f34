import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import { Time } from '../../../parts/format/time.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { addressOf, go } from '../../../shell/router.ts'
import type { AllCode } from '../all-code.ts'
import type { Library } from '../transformation.ts'
import { importersOf } from './importers.ts'

const firstCode = `/** Transformations import it by name. */
export function isBlank(value) {
  return value === undefined || value === null || value === ''
}
`

/** All libraries, with the transformations that import them, and a form that creates one. */
export function Libraries({ all: { transformations, libraries } }: { readonly all: AllCode }) {
  return (
    <>
      {allows('write') ? <NewLibrary /> : null}
      <DataTable
        caption="Libraries"
        rows={libraries}
        keyOf={({ id }) => id}
        empty="There is none yet."
        columns={[
          { title: 'name', cell: ({ id, name }) => <a href={libraryAddress(id)}>{name}</a> },
          { title: 'import name', cell: ({ importName }) => <code>{importName}</code> },
          {
            title: 'imported by',
            cell: (library) =>
              importersOf(library, transformations, libraries)
                .map(({ name }) => name)
                .join(', '),
          },
          { title: 'saved', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
        ]}
      />
    </>
  )
}

function NewLibrary() {
  const action = useAction()
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          const name = String(new FormData(event.currentTarget).get('name') ?? '')
          void action.run(async () => {
            const { id } = await request<Library>('/libraries', { method: 'POST', body: { name, code: firstCode } })
            go(`/transformations/libraries/${id}`)
            return undefined
          })
        }}
      >
        <label>
          Name of a new library
          <input name="name" required maxLength={200} />
        </label>
        <button type="submit" disabled={action.isBusy}>
          Add library
        </button>
      </form>
      <Outcome action={action} />
    </>
  )
}

const libraryAddress = (id: string): string => addressOf(`/transformations/libraries/${id}`)
