import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findOwnNetwork } from './own-network.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-own-network-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Writes modules and reads the first of them. */
function find(modules: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(modules)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return findOwnNetwork(join(folder, Object.keys(modules)[0] ?? ''))
}

describe('the network of a definition', () => {
  it('is ours when it uses no client', () => {
    const text = 'const a = require("@segment/actions-core"); const b = require("crypto"); request(url)'
    expect(find({ 'index.js': text })).toEqual({ clients: [], makesClients: false })
  })

  for (const name of ['@aws-sdk/client-s3', 'kafkajs', 'ssh2-sftp-client', 'net', 'node:tls', 'cross-fetch', 'axios'])
    it(`is its own when it requires ${name}`, () => {
      expect(find({ 'index.js': `const a = require("${name}")` }).clients).toEqual([name])
    })

  it('is its own when it sends requests with http or fetch, and not when it only makes an agent', () => {
    expect(find({ 'index.js': 'await fetch(url)' }).clients).toEqual(['fetch'])
    expect(find({ 'index.js': 'await globalThis.fetch(url)' }).clients).toEqual(['fetch'])
    expect(find({ 'index.js': 'const https_1 = require("https"); https_1.default.request(url)' }).clients).toEqual([
      'fetch',
    ])
    expect(find({ 'index.js': 'const https_1 = require("https"); new https_1.Agent()' }).clients).toEqual([])
    expect(find({ 'index.js': 'this.fetch(url); api.fetch(url); prefetch(url)' }).clients).toEqual([])
  })

  it('is found in modules that are required by a relative path, each client once and in order', () => {
    const found = find({
      'amp/index.js': 'require("./send"); require("../shared/list.js"); require("./parts")',
      'amp/send.js': 'require("kafkajs")',
      'amp/parts/index.js': 'require("@aws-sdk/client-kinesis")',
      'shared/list.js': 'require("kafkajs")',
    })
    expect(found.clients).toEqual(['@aws-sdk/client-kinesis', 'kafkajs'])
  })

  it('is found in modules that require one another', () => {
    expect(find({ 'a.js': 'require("./b")', 'b.js': 'require("./a"); require("net")' }).clients).toEqual(['net'])
  })

  it('leaves out modules of packages, missing ones, and files that are not JavaScript', () => {
    const modules = {
      'index.js': 'require("./missing"); require("./data.json"); require("some-package")',
      'data.json': '{"a":"fetch(url)"}',
    }
    expect(find(modules)).toEqual({ clients: [], makesClients: false })
  })

  it('says whether it makes request clients of its own', () => {
    const text = 'const c = (0, actions_core_1.createRequestClient)({ headers })'
    expect(find({ 'index.js': text })).toEqual({ clients: [], makesClients: true })
  })
})
