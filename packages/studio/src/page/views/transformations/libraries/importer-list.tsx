import { DataTable } from '../../../parts/data-table.tsx'
import { Panel } from '../../../parts/page/panel.tsx'
import type { Transformation } from '../transformation.ts'
import { transformationColumns } from '../transformation-columns.tsx'

/** The transformations that import a library, and which of them are published together with it. */
export function Importers({
  importers,
  chosen,
  onChoose,
  isFixed,
}: {
  readonly importers: readonly Transformation[]
  /** Ids of the transformations to publish with the library. */
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly isFixed: boolean
}) {
  const choose = (id: string, isChosen: boolean): void =>
    onChoose(new Set([...chosen].filter((each) => each !== id).concat(isChosen ? [id] : [])))
  return (
    <Panel title="Imported by" isFlush>
      <DataTable
        caption="Transformations whose newest code imports it, directly or through other libraries"
        rows={importers}
        keyOf={({ id }) => id}
        empty="No transformation imports it."
        columns={[
          ...transformationColumns,
          {
            title: 'publish with the library',
            cell: ({ id, name, publishedVersionId, versionId }) =>
              publishedVersionId === versionId ? (
                'its live version is tested again'
              ) : (
                <input
                  type="checkbox"
                  aria-label={`Publish ${name} with the library`}
                  checked={chosen.has(id)}
                  disabled={isFixed}
                  onChange={(event) => choose(id, event.currentTarget.checked)}
                />
              ),
          },
        ]}
      />
    </Panel>
  )
}
