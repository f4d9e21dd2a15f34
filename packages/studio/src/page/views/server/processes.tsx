import { DataTable } from '../../parts/data-table.tsx'
import type { EventState } from '../../parts/event-state.ts'
import { bytesText } from '../../parts/format/bytes-text.ts'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { shareText } from '../../parts/format/share-text.ts'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import type { Cluster, Server } from './server.ts'
import { WorkTimes } from './work-times.tsx'

const states: Readonly<Record<Cluster['processes'][number]['state'], readonly [EventState, string]>> = {
  serving: ['good', 'Works'],
  starting: ['wait', 'Starts'],
  draining: ['wait', 'Stops'],
  silent: ['bad', 'Silent'],
}
/** Colours that tell processes apart. */
const owners = 6

interface ProcessesProps {
  readonly cluster: Cluster
  readonly server: Server
}

/** The processes that share the store, who has which lane, and what each takes and does. */
export function Processes({ cluster: { processes, lanesWithoutOwner }, server }: ProcessesProps) {
  const lanes = [
    ...processes.flatMap(({ lanes }, owner) => lanes.map((lane) => ({ lane, owner }))),
    ...lanesWithoutOwner.map((lane) => ({ lane, owner: -1 })),
  ].sort((a, b) => a.lane - b.lane)
  const silent = processes.filter(({ state }) => state === 'silent').length
  const isOne = processes.length === 1 && lanes.length === 0
  return (
    <Panel
      title="Processes"
      note={
        isOne
          ? 'One process has the store for itself'
          : `${lanes.length} lanes: each event takes the lane of its person, so that order is kept`
      }
      actions={
        silent > 0 || lanesWithoutOwner.length > 0 ? (
          <Pill state="bad">Lanes wait</Pill>
        ) : (
          <Pill state="good">{processes.length === 1 ? '1 works' : `${processes.length} work`}</Pill>
        )
      }
      isFlush
      foot={<WorkTimes server={server} />}
    >
      {lanesWithoutOwner.length > 0 ? (
        <div class="panel-body">
          <Notice kind="bad">
            No process reads {lanesWithoutOwner.length === 1 ? '1 lane' : `${lanesWithoutOwner.length} lanes`}: their
            events wait. Another process takes them within seconds; if not, start one more.
          </Notice>
        </div>
      ) : null}
      {lanes.length === 0 ? null : (
        <div class="panel-body">
          <svg class="lanes" role="img" aria-label={lanesText(processes, lanesWithoutOwner.length)}>
            {lanes.map(({ lane, owner }, n) => (
              <rect
                key={lane}
                class={owner === -1 ? 'free' : `o${owner % owners}`}
                x={`${(n * 100) / lanes.length}%`}
                width={`${Math.max(0.2, 100 / lanes.length - 0.4)}%`}
                height="100%"
                rx="2"
              />
            ))}
          </svg>
        </div>
      )}
      <DataTable
        caption="Processes that share the store"
        rows={processes.map((each, n) => ({ ...each, n }))}
        keyOf={({ id }) => id}
        empty="No process is known."
        columns={[
          {
            title: 'Process',
            cell: ({ id, isThis, n }) => (
              <span class="cell">
                <i class={`swatch o${n % owners}`} />
                <span>
                  {id === 'this' ? 'This process' : id}
                  {isThis && id !== 'this' ? <small>this one answers</small> : null}
                </span>
              </span>
            ),
          },
          {
            title: 'State',
            cell: ({ state }) => <Pill state={states[state][0]}>{states[state][1]}</Pill>,
          },
          { title: 'Lanes', isNumber: true, cell: ({ lanes }) => (isOne ? 'all' : lanes.length) },
          { title: 'CPU', isNumber: true, cell: ({ vitals }) => (vitals ? shareText(vitals.cpuShare, 1, 0) : '–') },
          { title: 'Memory', isNumber: true, cell: ({ vitals }) => (vitals ? bytesText(vitals.memoryBytes) : '–') },
          {
            title: 'Events a second',
            isNumber: true,
            cell: ({ vitals }) =>
              vitals ? `${rateText(vitals.acceptedPerSecond)} in, ${rateText(vitals.sentPerSecond)} out` : '–',
          },
          { title: 'Last sign', isNumber: true, cell: ({ beatAgeMs }) => `${durationText(beatAgeMs)} ago` },
        ]}
      />
    </Panel>
  )
}

/** Returns events a second: a rate below ten with one digit behind the point. */
function rateText(rate: number): string {
  return rate < 10 ? String(Math.round(rate * 10) / 10) : countText(Math.round(rate))
}

function lanesText(processes: Cluster['processes'], free: number): string {
  const parts = processes.map(({ id, lanes }) => `${lanes.length} at ${id}`)
  return `Lanes: ${[...parts, ...(free > 0 ? [`${free} at none`] : [])].join(', ')}`
}
