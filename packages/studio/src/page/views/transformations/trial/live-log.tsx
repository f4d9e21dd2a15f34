import { useEffect, useState } from 'preact/hooks'
import { readServerEvents } from '../../../api/server-events.ts'
import { countText } from '../../../parts/format/count.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Scroll } from '../../../parts/scroll.tsx'

interface Line {
  readonly at: string
  readonly versionId: string
  readonly destinationId: string
  readonly line: string
}

/** Lines that are kept on the page; older ones go. */
const linesMax = 500

/** What the live versions of a transformation log now. Watching begins when it is opened, and ends when it is closed. */
export function LiveLog({ transformationId }: { readonly transformationId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What it logs, live</summary>
      {isOpen ? <Lines transformationId={transformationId} /> : null}
    </details>
  )
}

function Lines({ transformationId }: { readonly transformationId: string }) {
  const [lines, setLines] = useState<readonly Line[]>([])
  const [leftOut, setLeftOut] = useState(0)
  const [problem, setProblem] = useState<string>()
  const [isWatching, setWatching] = useState(false)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const over = new AbortController()
    const path = `/v1/logs?${new URLSearchParams({ transformationId, perSecond: '200' })}`
    const onEvent = ({ event, data }: { readonly event: string; readonly data: string }): void => {
      if (event === 'leftOut') setLeftOut((before) => before + (JSON.parse(data) as { count: number }).count)
      else setLines((before) => [...before, JSON.parse(data) as Line].slice(-linesMax))
    }
    const onOpen = (): void => {
      setWatching(true)
      setProblem(undefined)
    }
    readServerEvents(path, onEvent, over.signal, onOpen)
      .then(() => setProblem('The server has ended the stream.'))
      .catch((error: unknown) => {
        if (!over.signal.aborted) setProblem(error instanceof Error ? error.message : String(error))
      })
      .finally(() => setWatching(false))
    return () => over.abort()
  }, [transformationId, tries])
  return (
    <>
      <p class="hint" role="status">
        {isWatching ? 'Watching. ' : ''}
        {lines.length === 0 ? 'Nothing was logged yet.' : ''}
        {leftOut > 0 ? `${countText(leftOut)} lines were left out: there were too many.` : ''}
      </p>
      {problem === undefined ? null : (
        <>
          <Notice kind="bad">{problem}</Notice>
          <button type="button" onClick={() => setTries(tries + 1)}>
            Watch again
          </button>
        </>
      )}
      {lines.length === 0 ? null : (
        <Scroll label="Logged lines">
          <pre class="payload">
            {lines
              .map(
                ({ at, destinationId, versionId, line }) =>
                  `${at.slice(11, 23)} ${destinationId} ${versionId.slice(0, 6)}  ${line}`,
              )
              .join('\n')}
          </pre>
        </Scroll>
      )}
    </>
  )
}
