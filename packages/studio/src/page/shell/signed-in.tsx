import { useEffect, useState } from 'preact/hooks'
import { signOut, type Visitor } from '../api/session.ts'
import { durationText } from '../parts/format/duration-text.ts'
import { Icon } from '../parts/signs/icon.tsx'

const minuteMs = 60_000

/** Who is signed in and for how long, and the way out. */
export function SignedIn({ visitor: { kind, name, endsAt } }: { readonly visitor: Visitor }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs)
    return () => clearInterval(timer)
  }, [])
  const leftMs = Math.max(0, Date.parse(endsAt) - now)
  return (
    <div class="who">
      <span class="rail-text">
        <b>{name}</b>
        <small>
          {kind === 'operator' ? 'Operator' : 'Access token'},{' '}
          <time dateTime={endsAt} title={`Until ${endsAt}`}>
            {leftMs < minuteMs ? 'ends now' : `${durationText(leftMs)} left`}
          </time>
        </small>
      </span>
      <button type="button" class="ghost square small" aria-label="Sign out" onClick={() => void signOut()}>
        <Icon name="log-out" />
      </button>
    </div>
  )
}
