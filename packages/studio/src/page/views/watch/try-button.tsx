import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { showToast } from '../../parts/page/toasts.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { useAction } from '../../parts/use-action.ts'

interface TryButtonProps {
  /** The route that tries. */
  readonly path: string
  /** What is tried, for those who hear the button without its row. */
  readonly name: string
  readonly isSmall?: boolean
  readonly onChanged: () => Promise<void>
}

/** Has something tried now that waits for its next time. Nothing is lost by a try that fails, so it does not ask. */
export function TryButton({ path, name, isSmall, onChanged }: TryButtonProps) {
  const action = useAction()
  if (!allows('operate')) return null
  const tryNow = (): void =>
    void action.run(async () => {
      await request(path, { method: 'POST' })
      showToast(`${name} is tried now.`)
      await onChanged()
      return undefined
    })
  return (
    <>
      <button
        type="button"
        class={isSmall ? 'small' : ''}
        aria-label={`Try now: ${name}`}
        disabled={action.isBusy}
        onClick={tryNow}
      >
        <Icon name="refresh-cw" />
        Try now
      </button>
      <Outcome action={action} />
    </>
  )
}

/** Returns the route that lets one event go to a destination whose circuit is open. */
export function circuitTryPath(destinationId: string): string {
  return `/v1/circuits/${encodeURIComponent(destinationId)}/try`
}
