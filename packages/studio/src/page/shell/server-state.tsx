import { usePolled } from '../api/polled.ts'
import { request } from '../api/request.ts'
import { addressOf } from './router.ts'

/** The part of `GET /v2/server` that the frame shows. */
interface ServerAnswer {
  readonly version: string
  readonly cluster?: { readonly nodes: number; readonly otherDefinitions: number }
}

const everyMs = 30_000

/** Whether the server answers, how many processes there are, and its version. */
export function ServerState() {
  const read = (signal: AbortSignal): Promise<ServerAnswer> => request('/v2/server', { signal })
  const { value, error } = usePolled('frame-server', read, everyMs).state.value
  const [state, text] = wordsOf(value, error !== undefined)
  return (
    <a class="rail-state" href={addressOf('/server')}>
      <i class={`dot ${state}${state === 'good' ? ' live' : ''}`} />
      <span class="rail-text">{text}</span>
      {value ? <span class="rail-note">{value.version}</span> : null}
    </a>
  )
}

function wordsOf(
  server: ServerAnswer | undefined,
  hasFailed: boolean,
): readonly ['good' | 'bad' | 'wait' | 'idle', string] {
  if (hasFailed) return ['bad', 'The server does not answer']
  if (server === undefined) return ['idle', 'Asking the server']
  const { nodes, otherDefinitions } = server.cluster ?? { nodes: 1, otherDefinitions: 0 }
  if (otherDefinitions > 0) return ['wait', `${otherDefinitions} of ${nodes} processes differ`]
  return ['good', nodes === 1 ? 'The server works' : `${nodes} processes work`]
}
