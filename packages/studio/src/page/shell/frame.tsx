import './rail.css'
import './view.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Visitor } from '../api/session.ts'
import { lazy } from '../parts/lazy.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import { Toasts } from '../parts/page/toasts.tsx'
import { Icon } from '../parts/signs/icon.tsx'
import { mending } from '../views/watch/mending.ts'
import { Logo } from './logo.tsx'
import { isJump } from './palette/jump-keys.ts'
import { Rail } from './rail.tsx'
import { path } from './router.ts'
import { ScopeMissing } from './scope-missing.tsx'
import { viewOf } from './views.tsx'

const MendingBar = lazy(() => import('../views/failed/mending-bar.tsx').then(({ MendingBar }) => MendingBar))
const Palette = lazy(() => import('./palette/palette.tsx').then(({ Palette }) => Palette))

/** The sidebar, and the view that the address names. */
export function Frame({ visitor }: { readonly visitor: Visitor }) {
  const view = viewOf(path.value)
  const title = view?.title ?? 'There is no such page'
  const [isJumping, setJumping] = useState(false)
  const [isDrawn, setDrawn] = useState(false)
  const menu = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    document.title = `${title} · ${visitor.workspace.name} · Sluice`
  }, [title, visitor])
  // What was chosen in the drawer is behind it.
  useEffect(() => setDrawn(false), [path.value])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isJump(event)) {
        event.preventDefault()
        setJumping(true)
      }
      if (event.key === 'Escape' && isDrawn) {
        setDrawn(false)
        menu.current?.focus()
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isDrawn])
  const View = view?.component
  const isAllowed = view === undefined || visitor.scopes.includes(view.scope)
  const jump = (): void => setJumping(true)
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="shell">
        <header class="topbar">
          <button
            ref={menu}
            type="button"
            class="ghost square"
            aria-label="Menu"
            aria-expanded={isDrawn}
            aria-controls="rail"
            onClick={() => setDrawn(!isDrawn)}
          >
            <Icon name="menu" />
          </button>
          <Logo />
          <b>{title}</b>
          <button type="button" class="ghost square" aria-label="Search or jump to" onClick={jump}>
            <Icon name="search" />
          </button>
        </header>
        <Rail visitor={visitor} isOpen={isDrawn} onJump={jump} />
        {isDrawn ? <div class="scrim" onPointerDown={() => setDrawn(false)} /> : null}
        <main id="main" class="view" tabIndex={-1} inert={isDrawn}>
          {mending.value && !path.value.startsWith('/failed') ? <MendingBar what={mending.value} /> : null}
          {view?.hasOwnHead && isAllowed ? null : <PageHead title={title} note={view?.about} />}
          {view && !isAllowed ? <ScopeMissing scope={view.scope} visitor={visitor} /> : null}
          {View && isAllowed ? <View /> : null}
        </main>
      </div>
      {isJumping ? <Palette onClose={() => setJumping(false)} /> : null}
      <Toasts />
    </>
  )
}
