import { useState } from 'preact/hooks'
import { allows } from '../../../api/session.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import { Count } from '../../../parts/format/count.tsx'
import { Time } from '../../../parts/format/time.tsx'
import { Panel } from '../../../parts/page/panel.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { LetterMark } from '../../../parts/signs/letter-mark.tsx'
import { Pill } from '../../../parts/signs/pill.tsx'
import { TryButton } from '../../watch/try-button.tsx'
import type { PersonReport } from '../person/person-report.ts'
import type { Deletion, Deletions } from '../regulation.ts'
import { useDestinationNames } from '../use-destination-names.ts'
import { deletionCounts, deletionState, progressText } from './deletion-state.ts'
import { DoneDialog } from './done-dialog.tsx'

interface DeletionProgressProps {
  readonly deletions: Deletions
  readonly got: PersonReport['destinations']
  readonly onChanged: () => Promise<void>
}

/** How far the deletion of a person is, by destination; what no program could do, a person marks as done. */
export function DeletionProgress({ deletions: { regulation, data, isOver }, got, onChanged }: DeletionProgressProps) {
  const names = useDestinationNames()
  const [marking, setMarking] = useState<Deletion>()
  const mayChange = allows('write') && allows('operate')
  const counts = deletionCounts(data)
  return (
    <Panel
      title="Deletion everywhere"
      note={progressText(data)}
      isFlush
      actions={
        isOver ? (
          counts.stuck > 0 ? (
            <Pill state="bad">Needs a person</Pill>
          ) : (
            <Pill state="good">Over</Pill>
          )
        ) : (
          <Pill state="wait" isLive>
            Under way
          </Pill>
        )
      }
    >
      <div class="panel-body">
        <ProgressBar counts={counts} text={progressText(data)} />
      </div>
      <DataTable
        caption="Deletion at each destination"
        rows={data}
        keyOf={({ destinationId = '', destination }) => `${destinationId} ${destination}`}
        empty="Nothing has to be deleted."
        columns={[
          {
            title: 'Where',
            cell: ({ destinationId, destination }) => (
              <span class="cell">
                {destinationId === undefined ? (
                  <span class="mark">
                    <Icon name="layers" />
                  </span>
                ) : (
                  <LetterMark name={destination} />
                )}
                <span>
                  {destinationId === undefined ? 'Sluice itself' : destination}
                  <small>{names.get(destinationId ?? '')?.type}</small>
                </span>
              </span>
            ),
          },
          {
            title: 'Got',
            isNumber: true,
            cell: ({ destinationId }) =>
              got
                .filter((each) => each.destinationId === destinationId)
                .map(({ events }) => <Count key={events} value={events} />),
          },
          {
            title: 'State',
            cell: (row) => {
              const { state, icon, text } = deletionState(row)
              return (
                <Pill state={state} icon={icon}>
                  {text}
                </Pill>
              )
            },
          },
          {
            title: 'What happened',
            cell: ({ reason, nextAt, attempts, status }) => (
              <>
                {reason}
                {nextAt ? (
                  <small>
                    attempt {attempts + 1} <Time at={nextAt} />
                  </small>
                ) : null}
                {reason === undefined && status === 'complete' ? 'searched, and what was found was deleted' : null}
              </>
            ),
          },
          { title: 'When', isNumber: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
          {
            title: 'Next',
            cell: (row) =>
              mayChange && row.status === 'aborted' && !regulation.canceled ? (
                <button
                  type="button"
                  class="small"
                  aria-label={`Mark as done: ${row.destination}`}
                  onClick={() => setMarking(row)}
                >
                  <Icon name="file-check" />
                  Mark as done
                </button>
              ) : row.status === 'failed' && row.destinationId !== undefined ? (
                <TryButton
                  path={`/v2/regulations/${encodeURIComponent(regulation.id)}/deletions/${encodeURIComponent(row.destinationId)}/try`}
                  name={row.destination}
                  isSmall
                  onChanged={onChanged}
                />
              ) : null,
          },
        ]}
      />
      <DoneDialog regulationId={regulation.id} deletion={marking} onClose={() => setMarking(undefined)} />
    </Panel>
  )
}

function ProgressBar({
  counts: { all, done, open, stuck },
  text,
}: {
  readonly counts: ReturnType<typeof deletionCounts>
  readonly text: string
}) {
  const share = (count: number): string => `${all === 0 ? 0 : (count / all) * 100}%`
  return (
    <svg class="progress" role="img" aria-label={text}>
      <rect class="good" width={share(done)} height="100%" />
      <rect class="wait" x={share(done)} width={share(open)} height="100%" />
      <rect class="bad" x={share(done + open)} width={share(stuck)} height="100%" />
    </svg>
  )
}
