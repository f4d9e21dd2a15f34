import './failed.css'
import { path } from '../../shell/router.ts'
import { Letter } from './letter.tsx'
import { Letters } from './letters.tsx'
import { Reasons } from './reasons.tsx'

/** Failed events by reason, the events of one reason, or one event. */
export function FailedView() {
  const [, id] = /^\/failed\/(.+)$/.exec(path.value) ?? []
  if (id !== undefined && id !== 'list') return <Letter id={decodeURIComponent(id)} />
  return id === 'list' ? <Letters /> : <Reasons />
}
