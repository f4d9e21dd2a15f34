import { DataTable } from '../../../parts/data-table.tsx'
import { Time } from '../../../parts/format/time.tsx'
import { EmptyState } from '../../../parts/page/empty-state.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { addressOf } from '../../../shell/router.ts'
import type { AllCode } from '../all-code.ts'
import { importersOf } from './importers.ts'

/** All libraries, with the transformations that import them. */
export function Libraries({ all: { transformations, libraries } }: { readonly all: AllCode }) {
  if (libraries.length === 0)
    return (
      <EmptyState icon="layers" title="There is no library yet.">
        A library is code that several transformations import by its name.
      </EmptyState>
    )
  return (
    <DataTable
      caption="Libraries"
      rows={libraries}
      keyOf={({ id }) => id}
      empty=""
      columns={[
        {
          title: 'Name',
          cell: ({ id, name }) => (
            <span class="cell">
              <span class="mark">
                <Icon name="layers" />
              </span>
              <a href={addressOf(`/transformations/libraries/${id}`)}>{name}</a>
            </span>
          ),
        },
        { title: 'Imported as', cell: ({ importName }) => <code>{importName}</code> },
        {
          title: 'Imported by',
          cell: (library) =>
            importersOf(library, transformations, libraries)
              .map(({ name }) => name)
              .join(', ') || 'nothing',
        },
        { title: 'Saved', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
      ]}
    />
  )
}
