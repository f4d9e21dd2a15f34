import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { DiffView } from '../../editor/lazy-diff-view.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Transformation, Version } from './transformation.ts'

/** All versions, newest first: what changed, and a way back. */
export function Versions({
  transformation,
  onChanged,
}: {
  readonly transformation: Transformation
  readonly onChanged: () => void
}) {
  const { id, versionId, publishedVersionId, destinations } = transformation
  const address = `/transformations/${id}/versions?orderBy=DESC&count=50`
  const { value, error } = usePolled(
    `${address} ${versionId}`,
    (signal) => request<{ readonly TransformationVersions: readonly Version[] }>(address, { signal }),
    10_000,
  ).state.value
  const [shown, setShown] = useState<string>()
  const action = useAction()
  const versions = value?.TransformationVersions ?? []
  const live = versions.find((each) => each.versionId === publishedVersionId)
  const chosen = versions.find((each) => each.versionId === shown)
  const rollBack = ({ versionId: version }: Version): void =>
    void action.run(async () => {
      await request('/transformations/libraries/publish', {
        method: 'POST',
        body: { transformations: [{ versionId: version }] },
        waitMs: 60_000,
      })
      onChanged()
      return 'Live from the next batch on.'
    })
  return (
    <section>
      <h3>Versions</h3>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      <Outcome action={action} />
      <DataTable
        caption="The last 50 versions, newest first"
        rows={versions}
        keyOf={(each) => each.versionId}
        empty="Reading …"
        columns={[
          { title: 'saved', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: 'version', cell: (each) => <code>{each.versionId}</code> },
          {
            title: 'state',
            cell: (each) => (each.versionId === publishedVersionId ? <b class="in good">live</b> : ''),
          },
          {
            title: 'compare',
            cell: (each) => (
              <button
                type="button"
                aria-pressed={shown === each.versionId}
                onClick={() => setShown(shown === each.versionId ? undefined : each.versionId)}
              >
                {live && live !== each ? 'Changes from the live version' : 'Show'}
              </button>
            ),
          },
          {
            title: 'publish',
            cell: (each) =>
              each.versionId === publishedVersionId || !allows('operate') ? null : (
                <ConfirmButton
                  text="Publish this version"
                  question={`This version is tested with sample events. When all pass, it is live at ${destinations?.length ?? 0} destinations from the next batch on.`}
                  confirm="Publish it"
                  isDisabled={action.isBusy}
                  onConfirm={() => rollBack(each)}
                />
              ),
          },
        ]}
      />
      {chosen ? (
        <DiffView label="Changes from the live version" before={(live ?? chosen).code} after={chosen.code} />
      ) : null}
    </section>
  )
}
