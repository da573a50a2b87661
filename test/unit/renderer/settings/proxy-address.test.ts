// Typed proxy addresses: which are accepted, and why others aren't.
// The API client can use every accepted address.
import { describe, expect, it } from 'vitest'
import { chooseProxy } from '../../../../src-main/api/proxy.ts'
import { proxyMode, readProxy } from '../../../../src-renderer/views/settings/proxy-row.tsx'

describe('readProxy', () => {
  it.each([
    ['http://proxy:3128', 'http://proxy:3128'],
    ['proxy:3128', 'http://proxy:3128'],
    ['  proxy.example.com:8080/ ', 'http://proxy.example.com:8080'],
    ['HTTPS://Proxy.Example.com', 'https://proxy.example.com'],
    ['[::1]:3128', 'http://[::1]:3128'],
    ['192.0.2.1', 'http://192.0.2.1'],
    ['socks5://proxy:1080', 'socks5://proxy:1080'],
    ['socks5://[::1]', 'socks5://[::1]'],
  ])('takes %j', (text, value) => {
    expect(readProxy(text)).toEqual({ ok: true, value })
    expect(
      chooseProxy(new URL('https://files.example.com'), { http: value, https: value, noProxy: '' }).kind,
    ).toBe('proxy')
  })

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['http://', 'unreadable'],
    ['two words', 'unreadable'],
    ['proxy:99999', 'unreadable'],
    ['http://a b:1', 'unreadable'],
    ['none', 'unreadable'],
    ['system', 'unreadable'],
    [`http://${'a'.repeat(3000)}`, 'unreadable'],
    ['socks4://proxy:1080', 'scheme'],
    ['socks5://proxy:1080/path', 'path'],
    ['socks5://ada:secret@proxy', 'password'],
    ['ftp://proxy', 'scheme'],
    ['http://ada:secret@proxy:3128', 'password'],
    ['ada@proxy:3128', 'password'],
    ['http://proxy:3128/path', 'path'],
    ['http://proxy:3128/?x=1', 'path'],
    ['proxy#x', 'path'],
  ])('refuses %j', (text, why) => {
    expect(readProxy(text)).toEqual({ ok: false, why })
  })
})

describe('proxyMode', () => {
  it.each([
    ['system', 'system'],
    ['none', 'none'],
    ['http://proxy:3128', 'address'],
    ['', 'address'],
  ])('%j is %s', (value, mode) => {
    expect(proxyMode(value)).toBe(mode)
  })
})
