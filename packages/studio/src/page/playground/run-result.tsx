import type { Event } from '@sluice/core'
import { JsonDifference } from '../parts/code/json-difference.tsx'
import { JsonBlock } from '../parts/json-block.tsx'
import { Notice } from '../parts/notice.tsx'
import type { Mapped } from './mapping/mapping-question.ts'
import type { DraftRun, EventRun } from './run-draft.ts'

/** What a run made of the events. */
export function RunResult({ run, destination }: { readonly run: DraftRun; readonly destination: string }) {
  const { events, log, problems, loadMs, runMs, mapMs } = run
  return (
    <>
      {problems.map(({ text, line }) => (
        <Notice key={text} kind="bad">
          {line === undefined ? '' : `Line ${line}: `}
          {text}
        </Notice>
      ))}
      {problems.length > 0 ? null : (
        <p class="soft" role="status">
          {events.length} {events.length === 1 ? 'event' : 'events'}. Loading the code took {loadMs.toFixed(1)} ms,
          running it {runMs.toFixed(1)} ms{destination === '' ? '' : `, mapping ${mapMs.toFixed(1)} ms`}.
        </p>
      )}
      <ol class="events">
        {events.map((each, index) => (
          <li key={index}>
            <EventResult each={each} />
          </li>
        ))}
      </ol>
      <h3>Log</h3>
      <JsonBlock label="Log" value={log.length > 0 ? log.join('\n') : 'Nothing was logged.'} />
    </>
  )
}

function EventResult({ each }: { readonly each: EventRun }) {
  const { event, outputs, mapped, dropped, error, line } = each
  return (
    <>
      <h3>{nameOf(event)}</h3>
      {error === undefined ? null : (
        <p class="in bad">
          {line === undefined ? '' : `Line ${line}: `}
          {error}
        </p>
      )}
      {dropped === undefined ? null : <p>Dropped: {dropped}</p>}
      {outputs.map((output, index) => (
        <div key={index}>
          <JsonDifference
            label={`What the code changed in ${nameOf(event)}`}
            before={event}
            after={output}
            equal="The code returns the event as it is."
          />
          <JsonBlock label={`Output for ${nameOf(event)}`} value={JSON.stringify(output, null, 2)} />
          {mapped?.[index] === undefined ? null : <Requests mapped={mapped[index]} />}
        </div>
      ))}
    </>
  )
}

function Requests({ mapped }: { readonly mapped: Mapped }) {
  switch (mapped.kind) {
    case 'requests':
      return (
        <div>
          {mapped.requests.map((request, index) => (
            <JsonBlock key={index} label="Request of the destination" value={JSON.stringify(request, null, 2)} />
          ))}
        </div>
      )
    case 'asks':
      return <p>The destination must ask the product something first, which this page does not do.</p>
    case 'dropped':
      return <p>Nothing is sent: {mapped.reason}.</p>
    default:
      return <p class="in bad">The destination refuses it: {mapped.message}</p>
  }
}

function nameOf(event: Event): string {
  const { event: name, type } = event as Readonly<Record<string, unknown>>
  return typeof name === 'string' ? name : String(type ?? 'event')
}
