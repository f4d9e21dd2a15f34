import { readFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@sluice/core'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { deletedUser } from './deleted-user.ts'
import { noBrowser, startBrowser } from './studio-browser.ts'
import { openStudio, type StudioScene, violations } from './studio-scene.ts'
import { createStudioServer, type StudioServer } from './studio-server.ts'
import { chooseColours } from './studio-views.ts'

let browser: Browser
let server: StudioServer
let scene: StudioScene
let id: string
beforeAll(async () => {
  if (noBrowser) return
  browser = await startBrowser()
  server = await createStudioServer()
  await server.send([{ type: 'track', event: 'Bought', userId: 'kim-4711', messageId: 'm1' }])
  await server.sluice.settled()
  id = await deletedUser(server, 'kim-4711')
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(() => scene?.close())

async function openCertificate() {
  scene = await openStudio(browser, server)
  const { page } = scene
  await page.goto(`${server.origin}/studio/privacy/certificates/${id}`)
  const article = page.getByRole('article', { name: 'Certificate of deletion' })
  await article.getByRole('heading', { name: 'How to verify it' }).waitFor()
  const download = async (): Promise<JsonObject> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      article.getByRole('button', { name: 'Download the signed certificate' }).click(),
    ])
    expect(file.suggestedFilename()).toBe(`certificate-${id}.json`)
    const parsed: unknown = JSON.parse(await readFile(await file.path(), 'utf8'))
    if (!isJsonObject(parsed)) throw new Error('the file has no certificate')
    return parsed
  }
  return { page, article, download, complaints: scene.complaints }
}

describe.skipIf(noBrowser)('the page of a certificate', () => {
  it('is reached from the person, in addresses that have no id of the person, and leads back there', async () => {
    scene = await openStudio(browser, server)
    const { page } = scene
    await page.goto(`${server.origin}/studio/privacy/requests/${id}`)
    await page.getByRole('link', { name: 'Signed certificate' }).click()
    await page.getByRole('heading', { name: 'Certificate of deletion' }).waitFor()
    await page.getByRole('link', { name: 'Back to this person' }).click()
    await page.getByLabel('Person kim-4711').waitFor()
    expect(page.url()).toBe(`${server.origin}/studio/privacy/requests/${id}`)
  })

  for (const theme of ['light', 'dark'] as const)
    it(`says in words what was searched, deleted and kept, and is accessible (${theme})`, async () => {
      const { page, article, complaints } = await openCertificate()
      await chooseColours(page, theme)
      const text = (await article.textContent()) ?? ''
      // A webhook cannot delete, so the deletion is not complete everywhere.
      expect(text).toMatch(/Not complete: in 2 of 8 places/)
      expect(text).toMatch(/Person ?not named: known by fingerprints of email, userId/)
      expect(text).toMatch(/Received\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
      expect(text).toContain('the line of the ledger, with fingerprints of the ids')
      expect(text).toContain(`sluice regulations verify certificate-${id}.json`)
      const row = (name: string) => article.getByRole('row', { name: new RegExp(`^${name} `) })
      expect(await row('event log').textContent()).toMatch(/^event login Sluiceemail, userIdsearched and deleted/)
      expect(await row('receipts').textContent()).toContain('email, userId')
      expect(await row('Hook').textContent()).toMatch(/not searchedcannot delete.*Webhook cannot delete users/)
      expect(text).not.toMatch(/kim-4711|request_status|not_supported/)
      expect(await violations(page)).toEqual([])
      expect(complaints).toEqual([])
    })

  it('saves the certificate that it shows, whose signature holds', async () => {
    const { article, download } = await openCertificate()
    const certificate = await download()
    expect(await article.textContent()).toContain(String(certificate['processor_signature']))
    expect(await server.sluice.certificates.verify('shop', id, certificate)).toMatchObject({
      isSigned: true,
      isLedgerKey: true,
    })
  })

  it('names the person when the reader says so, in what is shown and saved', async () => {
    const { article, download } = await openCertificate()
    await article.getByRole('checkbox', { name: 'Name the person in it' }).check()
    await article.getByText('userId kim-4711').waitFor()
    const named = { identity_type: 'controller_customer_id', identity_format: 'raw', identity_value: 'kim-4711' }
    expect((await download())['subject_identities']).toContainEqual(named)
  })

  it('prints the text alone, without controls, on white', async () => {
    const { page, article } = await openCertificate()
    await chooseColours(page, 'dark')
    await page.emulateMedia({ media: 'print' })
    for (const hidden of [page.getByRole('navigation'), page.getByRole('button'), page.getByRole('link')])
      expect(await hidden.count()).toBe(0)
    expect(await article.getByRole('heading', { name: 'Signature' }).isVisible()).toBe(true)
    expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    expect(await page.evaluate<string>('getComputedStyle(document.querySelector(".scroll")).overflowX')).toBe('visible')
  })

  it('says why there is none', async () => {
    scene = await openStudio(browser, server)
    const { page } = scene
    await page.goto(`${server.origin}/studio/privacy/certificates/none`)
    await eventually(() => page.getByRole('alert').textContent()).toMatch(/regulation/)
  })
})

describe.skipIf(noBrowser)('the page of a person', () => {
  it('leads from an id to a deletion that is proven, in six clicks at most, with no id in an address', async () => {
    await server.send([{ type: 'track', event: 'Bought', userId: 'pat-99', anonymousId: 'anon-99', messageId: 'm99' }])
    await server.sluice.settled()
    scene = await openStudio(browser, server)
    const { page, complaints } = scene
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    page.on('framenavigated', (frame) => addresses.push(frame.url()))
    let clicks = 0
    const click = async (place: Locator): Promise<void> => {
      clicks += 1
      await place.click()
    }
    await click(page.getByRole('link', { name: 'Privacy', exact: true }))
    await page.getByLabel('Any id of the person').fill('anon-99')
    await click(page.getByRole('button', { name: 'Find' }))
    const person = page.getByLabel('Person pat-99')
    expect(await person.textContent()).toMatch(/Events pass.*Also known as.*anonymousId anon-99.*Held in Sluice/)
    await click(page.getByRole('button', { name: 'Suppress and delete', exact: true }))
    await page.getByLabel('Type the userId to confirm').fill('pat-99')
    expect(await violations(page)).toEqual([])
    await click(page.getByRole('button', { name: 'Suppress and delete this person' }))
    const proof = page.getByRole('region', { name: 'Proof of deletion' })
    await click(proof.getByRole('link', { name: 'Signed certificate' }))
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      click(page.getByRole('button', { name: 'Download the signed certificate' })),
    ])
    expect(file.suggestedFilename()).toMatch(/^certificate-.*\.json$/)
    expect(clicks).toBeLessThanOrEqual(6)
    expect(addresses.filter((each) => /(pat|anon)-99/.test(each))).toEqual([])
    expect(complaints).toEqual([])
  })

  it('notes that a person has deleted where no program could, and the proof says who and how', async () => {
    scene = await openStudio(browser, server)
    const { page } = scene
    await page.goto(`${server.origin}/studio/privacy/requests/${id}`)
    const proof = page.getByRole('region', { name: 'Proof of deletion' })
    await proof.getByText('1 of 3 done, 2 need a person').waitFor()
    await page.getByRole('button', { name: 'Mark as done: Hook' }).click()
    expect(await violations(page)).toEqual([])
    await page.getByLabel(/^Who did it/).fill('by the owner, ticket 12')
    await page.getByRole('button', { name: 'Mark as done', exact: true }).last().click()
    await proof.getByText('2 of 3 done, 1 needs a person').waitFor()
    expect(await page.getByRole('table', { name: 'Deletion at each destination' }).textContent()).toMatch(
      /Done by a person.*by the owner, ticket 12/,
    )
  })
})
