// Addresses with a password: the password decides, at whatever host. Random ones are held also where software is
// developed and documented; those that examples and defaults show pass.
import { describe, expect, it } from 'vitest'
import { secretByContent } from '../../../../src-main/engine/rules/secrets.ts'
import { seeded } from '../seeded.ts'

const isHeld = (text: string): boolean => secretByContent(Buffer.from(text), 'notes.txt') !== null
const r = seeded(411)
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const ALL = `${LOWER}${LOWER.toUpperCase()}0123456789`
const HOSTS = [
  'db:5432',
  'localhost:3306',
  'localhost',
  '127.0.0.1:6379',
  '127.0.1.1',
  '[::1]:5432',
  '0.0.0.0',
  'server',
  'database',
  'redis:6379',
  'mysql',
  'postgres:5432',
  'rabbitmq',
  'nas.local',
  'db.example.com',
  'shop.test',
]

/** How many of 60 random passwords are held. */
function heldOf(length: number, alphabet: string, text: (password: string) => string): number {
  return Array.from({ length: 60 }, () => text(r.text(alphabet, length))).filter(isHeld).length
}

describe('a random password in the address of a database', () => {
  it.each(HOSTS)('is held at %s', (host) => {
    const env = (password: string): string => `DATABASE_URL=postgres://shop:${password}@${host}/shop\n`
    const yaml = (password: string): string =>
      `services:\n  web:\n    url: "mysql+pymysql://u1:${password}@${host}/x"\n`
    for (const length of [8, 9, 10, 11, 16]) {
      expect(heldOf(length, ALL, env), `${length} characters`).toBeGreaterThanOrEqual(length > 9 ? 54 : 45)
      expect(heldOf(length, ALL, yaml), `${length} characters`).toBeGreaterThanOrEqual(length > 9 ? 54 : 45)
    }
  })

  it.each([
    'amqp://worker:hT7-pq2Zk9@localhost:5672//',
    'redis://:Vb83kqLm2x@127.0.0.1:6379/0',
    'mongodb://ada:q8%23Rt5wLz@db:27017/shop?authSource=admin',
    'jdbc:postgresql://ada:Zx81Lmq0Tr@localhost/shop',
    'postgresql://ada:Meadow-Harbor77-Lantern@db/shop',
    'spring.rabbitmq.addresses=amqp://ada:Kq72mZp0a@server:5672',
  ])('is held: %s', (text) => {
    expect(isHeld(`${text}\n`)).toBe(true)
  })
})

// As documentation and templates of databases, frameworks and images show them.
it.each([
  'postgresql://scott:tiger@localhost/mydatabase',
  'mysql+mysqldb://scott:tiger@localhost/test',
  'postgresql://johndoe:randompassword@localhost:5432/mydb?schema=public',
  'postgres://myuser:mypass@localhost/somedatabase',
  'postgresql://app:!ChangeMe!@127.0.0.1:5432/app?serverVersion=16&charset=utf8',
  'mysql://db_user:db_password@127.0.0.1:3306/db_name',
  'postgres://postgres:mysecretpassword@localhost:5432/postgres',
  'postgres://postgres:postgres123@db:5432/postgres',
  'mysql://root:my-secret-pw@db:3306/app',
  'mongodb://myDBReader:D1fficultP%40ssw0rd@mongodb0.example.com:27017/?authSource=admin',
  'mongodb://root:example123@localhost:27017',
  'amqp://guest:guest@localhost:5672//',
  'amqp://myuser:mypassword@localhost:5672/myvhost',
  'redis://user:secret@localhost:6379/0',
  'redis://:password@127.0.0.1:6379',
  'redis://default:changeme@server:6379',
  'postgres://shop:shop12345@db:5432/shop',
  'mysql://grafana:Grafana_2024@localhost/grafana',
  'ecto://postgres:postgres@localhost/hello_dev',
  'postgres://user:pass1234@localhost/db',
  'postgres://user:$POSTGRES_PASSWORD@db/shop',
  'postgres://${DB_USER}:${DB_PASSWORD}@db:5432/shop',
  'postgres://<user>:<password>@localhost/db',
  'ftp://anonymous:ada@example.com/pub',
])('a placeholder passes: %s', (text) => {
  expect(isHeld(`url = ${text}\n`)).toBe(false)
})
