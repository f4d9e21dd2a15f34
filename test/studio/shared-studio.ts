import type { Browser, Page } from 'playwright-core'
import { type Keyboard, useKeyboard } from './keyboard.ts'
import { startBrowser } from './studio-browser.ts'
import { openStudio, type StudioScene } from './studio-scene.ts'
import { createStudioServer, type StudioServer } from './studio-server.ts'
import { linkName, type StudioView } from './studio-views.ts'

/** A browser, a shop and its page, signed in: for all cases of a file. */
export interface SharedStudio {
  readonly server: StudioServer
  readonly scene: StudioScene
  readonly page: Page
  readonly keyboard: Keyboard
  close(): Promise<void>
}

/** Opens one. @param view chosen by keys, if not the first one. */
export async function openSharedStudio(view?: StudioView): Promise<SharedStudio> {
  const browser: Browser = await startBrowser()
  const server = await createStudioServer()
  const scene = await openStudio(browser, server)
  const { page } = scene
  const keyboard = useKeyboard(page)
  if (view !== undefined) {
    await keyboard.press(linkName(view))
    await page.getByRole('heading', { name: view, level: 1 }).waitFor()
  }
  const close = async (): Promise<void> => {
    await scene.close()
    await browser.close()
    await server.close()
  }
  return { server, scene, page, keyboard, close }
}
