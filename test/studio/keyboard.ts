import type { Page } from 'playwright-core'
import { browserName } from './studio-browser.ts'

/** Stops of the Tab key before the driver gives up: more than any view has. */
const stopsMax = 120

/** What has the focus, by role and name as a screen reader would say them, and whether the focus can be seen. */
interface Focus {
  readonly text: string
  readonly isVisible: boolean
  /** Whether it is the code editor, in which Tab indents until Escape is pressed. */
  readonly isEditor: boolean
}

const focus = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return { text: '', isVisible: true, isEditor: false }
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? ''
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  // The editor has a cursor, a date marks its parts; what a view focuses itself, such as its heading, is read aloud.
  const isEditor = element.closest('.cm-editor') !== null
  const isMarked = isEditor || element.tabIndex === -1 || element.type === 'date'
  return { text: label.trim(), isEditor, isVisible: isMarked || (outlineStyle !== 'none' && outlineWidth !== '0px') }
})()`

/**
 * Firefox gives the focus to its own window behind the last control, and a window without a toolbar never gives it back:
 * a last stop leads to the first of the page, as if the toolbar had been passed. Chromium does so by itself.
 */
const comeRound = `(() => {
  const whole = document.querySelector('dialog:modal') ?? document.body
  if (whole.querySelector(':scope > .comes-round')) return
  const last = document.createElement('span')
  last.className = 'comes-round'
  last.tabIndex = 0
  last.addEventListener('focus', () => whole.querySelector('.skip, button, a, input')?.focus())
  whole.append(last)
})()`

/** A page that is used by keys alone. */
export interface Keyboard {
  /** Moves the focus with the Tab key until it is on what has this name. */
  to(name: string | RegExp): Promise<void>
  /** Moves the focus there, and presses Enter. */
  press(name: string | RegExp): Promise<void>
  /** Moves the focus there, and writes in place of what is there. */
  write(name: string | RegExp, text: string): Promise<void>
  /** Presses keys where the focus is. */
  keys(...keys: readonly string[]): Promise<void>
}

/** @throws when Tab comes round without having met the name, or meets a place whose focus cannot be seen. */
export function useKeyboard(page: Page): Keyboard {
  const to = async (name: string | RegExp): Promise<void> => {
    const seen: string[] = []
    for (let stop = 0; stop < stopsMax; stop += 1) {
      if (browserName === 'firefox') await page.evaluate(comeRound)
      await page.keyboard.press('Tab')
      const { text, isVisible, isEditor } = await page.evaluate<Focus>(focus)
      if (text !== '' && !isVisible) throw new Error(`the focus on "${text}" cannot be seen`)
      if (typeof name === 'string' ? text === name : name.test(text)) return
      seen.push(text.slice(0, 60))
      if (isEditor) await page.keyboard.press('Escape')
    }
    throw new Error(`Tab does not reach ${name}; it reaches: ${[...new Set(seen)].join(' | ')}`)
  }
  return {
    to,
    press: async (name) => {
      await to(name)
      await page.keyboard.press('Enter')
    },
    write: async (name, text) => {
      await to(name)
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(text)
    },
    keys: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key)
    },
  }
}
