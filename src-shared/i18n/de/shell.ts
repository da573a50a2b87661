// German texts of the shell: tray, menus, notifications, system dialogs, names of pasted files. They have the
// type of the English original, which also explains how values are formatted.
import type { ShellTexts } from '../en/shell.ts'
import { namedReasons, sharedReasons } from '../reasons.ts'
import { common } from './common.ts'
import { reasonWords } from './reasons.ts'
import { secretRuleName } from './secret-rules.ts'

const files = (n: number, shown: string): string => (n === 1 ? '1 Datei' : `${shown} Dateien`)

export const shell: ShellTexts = {
  tray: {
    tooltip: (status) => `Slipway · ${status}`,
    starting: 'Startet',
    notConnected: 'Nicht verbunden',
    keyRefused: 'API-Schlüssel abgelehnt',
    noApi: 'Kein API-Zugang',
    paused: 'Pausiert',
    pausedOpen: (n, shown) => `Pausiert · ${files(n, shown)} ${n === 1 ? 'wartet' : 'warten'}`,
    pausedFinishing: (n, shown) =>
      `Pausiert · ${n === 1 ? '1 Upload läuft' : `${shown} Uploads laufen`} noch zu Ende`,
    uploading: (n, uploading, open) => `${uploading} von ${open} ${n === 1 ? 'wird' : 'werden'} hochgeladen`,
    uploadingUntil: (n, uploading, open, time) =>
      `${uploading} von ${open} ${n === 1 ? 'wird' : 'werden'} hochgeladen · fertig gegen ${time}`,
    waiting: sharedReasons(reasonWords),
    filesWait: (n, shown) => `${files(n, shown)} ${n === 1 ? 'wartet' : 'warten'}`,
    filesPaused: (n, shown) => `${files(n, shown)} pausiert`,
    settling: (n, shown) =>
      n === 1 ? '1 Datei wird noch geschrieben' : `${shown} Dateien werden noch geschrieben`,
    folderAway: (name) => `Der Ordner ${name} ist nicht verfügbar`,
    folderSilent: (name) => `Das Laufwerk des Ordners ${name} reagiert nicht`,
    needsYou: (n, shown) => `${files(n, shown)}: Aktion erforderlich`,
    allSafe: 'Alle Dateien erfasst',
    copyNewest: (name) => `Link kopieren: ${name}`,
    copyNewestAs: 'Diesen Link kopieren als',
    nearLimits: common.nearLimits,
    clickToCopy: 'Link per Klick kopieren',
    recentLinks: 'Neueste Links',
    copyLink: 'Link kopieren',
    openLink: 'Link öffnen',
    showInFolder: 'Im Ordner zeigen',
    copyLastDrop: (_n, shown) => `${shown} zuletzt abgelegte Links kopieren`,
    uploadFiles: 'Dateien hochladen…',
    uploadClipboard: 'Aus der Zwischenablage hochladen',
    takeRegion: common.takeRegion,
    openShelf: common.openShelf,
    pause: 'Pausieren',
    pauseAfter: (n, shown) =>
      `Nach ${n === 1 ? '1 laufenden Upload' : `${shown} laufenden Uploads`} pausieren`,
    pauseNow: 'Jetzt pausieren, laufende Uploads abbrechen',
    resume: 'Fortsetzen',
    snooze: 'Mitteilungen stummschalten',
    snoozed: (when) => `Mitteilungen stumm bis ${when}`,
    snoozeMinutes: (minutes) => `Für ${minutes} Minuten`,
    snoozeHours: (hours) => (hours === 1 ? 'Für 1 Stunde' : `Für ${hours} Stunden`),
    snoozeEnd: 'Mitteilungen einschalten',
    showProblems: (n, shown) => `${files(n, shown)}: Aktion erforderlich…`,
    stopped: 'Synchronisierung läuft nicht',
    keyUnread: 'Schlüsselbund nicht verfügbar',
    signedOut: 'Abgemeldet',
    account: (name) => `Konto: ${name}`,
    accounts: 'Konten',
    ofAccount: (name, status) => `${name}: ${status}`,
    addAccount: 'Konto hinzufügen…',
    manageAccounts: 'Konten verwalten…',
    open: 'Slipway öffnen',
    quit: 'Beenden',
  },
  menu: {
    file: '&Datei',
    edit: '&Bearbeiten',
    view: '&Ansicht',
    window: '&Fenster',
    help: '&Hilfe',
    about: 'Über Slipway',
    updates: 'Nach Updates suchen…',
    settings: 'Einstellungen…',
    commandLine: 'Befehlszeilenprogramm installieren…',
    services: 'Dienste',
    hide: 'Slipway ausblenden',
    hideOthers: 'Andere ausblenden',
    showAll: 'Alle einblenden',
    quit: 'Slipway beenden',
    upload: 'Hochladen…',
    uploadFolder: 'Ordner hochladen…',
    pasteUpload: 'Einfügen und hochladen',
    takeRegion: common.takeRegion,
    openShelf: common.openShelf,
    copyLink: 'Link kopieren',
    openLink: 'Link öffnen',
    delete: 'Löschen',
    addAccount: 'Konto hinzufügen…',
    manageAccounts: 'Konten verwalten…',
    close: 'Fenster schließen',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    selectAll: 'Alles auswählen',
    selectAllFiles: 'Alle Dateien auswählen',
    find: 'Suchen',
    files: 'Dateien',
    transfers: 'Übertragungen',
    usage: 'Nutzung',
    settingsView: 'Einstellungen',
    details: 'Details',
    palette: 'Befehle',
    refresh: 'Aktualisieren',
    actualSize: 'Originalgröße',
    zoomIn: 'Größer',
    zoomOut: 'Kleiner',
    fullScreen: 'Vollbild',
    minimize: 'Minimieren',
    zoom: 'Zoomen',
    front: 'Alle nach vorn bringen',
    log: 'Protokoll zeigen',
    data: 'Datenordner zeigen',
    shortcuts: 'Tastenkürzel',
    website: common.openWebsite,
    licences: 'Lizenzen',
  },
  undo: common.undoOf,
  linkStyles: common.linkStyles,
  notice: {
    undo: common.undo,
    copyAs: (style) => `Kopieren als ${style}`,
    undoDeletes: (n, shown, span) => `${files(n, shown)} ${n === 1 ? 'wird' : 'werden'} in ${span} gelöscht`,
    undoDeletesHint: 'Bis dahin kannst du das in Slipway rückgängig machen.',
    linksReady: (n, shown) => (n === 1 ? '1 Link ist bereit' : `${shown} Links sind bereit`),
    needYou: (n, shown) => `${files(n, shown)}: Aktion erforderlich`,
    mixed: (_done, doneShown, _need, needShown) =>
      `${doneShown} hochgeladen, ${needShown}: Aktion erforderlich`,
    onClipboard: (n, names) => `${n === 1 ? 'Link' : 'Links'} kopiert: ${names}`,
    skipped: (n, shown) => `${files(n, shown)} übersprungen`,
    whySkipped: (n) =>
      n === 1
        ? 'Du hast den Inhalt der Datei früher gelöscht. Lege die Datei selbst ab, um sie hochzuladen.'
        : 'Du hast den Inhalt dieser Dateien früher gelöscht. Lege die Dateien selbst ab, um sie hochzuladen.',
    alsoSkipped: (n, shown) =>
      n === 1
        ? '1 Datei wurde übersprungen, weil du ihren Inhalt früher gelöscht hast. Lege die Datei selbst ab, um sie hochzuladen.'
        : `${shown} Dateien wurden übersprungen, weil du ihren Inhalt früher gelöscht hast. Lege die Dateien selbst ab, um sie hochzuladen.`,
    reason: (name, why) => `${name}: ${why}`,
    needs: namedReasons(reasonWords),
    andMore: (names, shown) => `${names} und ${shown} weitere`,
    and: (names, last) => `${names} und ${last}`,
    copyLinks: (n, shown) => (n === 1 ? 'Link kopieren' : `${shown} Links kopieren`),
    show: 'Zeigen',
    retry: 'Erneut versuchen',
    keyRefused: {
      title: 'Der API-Schlüssel wurde abgelehnt',
      body: 'Uploads warten, bis der Dienst einen Schlüssel annimmt.',
    },
    noApi: { title: 'Dein Tarif enthält keinen API-Zugang', body: 'Uploads warten, bis sich das ändert.' },
    accountBack: { title: 'Der Dienst gewährt wieder Zugang', body: 'Uploads gehen weiter.' },
    enterKey: 'API-Schlüssel eingeben',
    serverAway: {
      title: 'Der Dienst ist nicht erreichbar',
      body: 'Slipway versucht es weiter. Uploads warten, nichts geht verloren.',
    },
    serverForeign: {
      title: 'Unerwartete Antworten von der Adresse des Dienstes',
      body: 'Slipway prüft weiter. Uploads warten, nichts geht verloren.',
    },
    serverUnavailable: {
      title: 'Der Dienst ist nicht verfügbar',
      body: 'Slipway prüft weiter. Uploads warten, nichts geht verloren.',
    },
    serverBack: { title: 'Der Dienst ist wieder erreichbar', body: 'Uploads gehen weiter.' },
    folderAway: {
      title: (name) => `Der Ordner ${name} ist nicht verfügbar`,
      body: 'Schließe den Datenträger wieder an oder stelle den Ordner wieder her. Uploads gehen dann automatisch weiter.',
    },
    folderSilent: {
      title: (name) => `Das Laufwerk des Ordners ${name} reagiert nicht`,
      body: 'Prüfe Laufwerk und Verbindung. Uploads gehen weiter, sobald es wieder reagiert.',
    },
    ofAccount: (title, account) => `${title} · ${account}`,
    firstDownload: {
      title: 'Erster Download',
      body: (name) => `${name} wurde zum ersten Mal heruntergeladen.`,
    },
    firstDownloads: (_n, shown) => `${shown} Dateien wurden zum ersten Mal heruntergeladen`,
  },
  quit: {
    title: (n, shown) => (n === 1 ? 'Während eines Uploads beenden?' : `Während ${shown} Uploads beenden?`),
    detail: 'Nichts geht verloren. Unterbrochene Uploads beginnen beim nächsten Start von vorn.',
    detailBehind: (n, shown) =>
      `Nichts geht verloren. Unterbrochene Uploads beginnen beim nächsten Start von vorn, danach ${n === 1 ? 'folgt' : 'folgen'} ${files(n, shown)}.`,
    titleTrial: 'Slipway und das Ausprobieren beenden?',
    titleTrialRestart: 'Neu starten und das Ausprobieren beenden?',
    detailTrial: common.trialEndText,
    ofAccount: (name, n, shown) => `${name}: ${n === 1 ? '1 Upload' : `${shown} Uploads`}`,
    quit: 'Beenden',
    restart: 'Neu starten',
    stay: 'Weiter hochladen',
    stayTrial: 'Weiter ausprobieren',
  },
  deletion: {
    title: (n, shown) => (n === 1 ? '1 Datei löschen?' : `${shown} Dateien löschen?`),
    detail: (n) =>
      n === 1
        ? 'Ihr Link funktioniert dann nicht mehr. Das Original auf diesem Computer bleibt.'
        : 'Ihre Links funktionieren dann nicht mehr. Die Originale auf diesem Computer bleiben.',
    confirm: (n, shown) => (n === 1 ? 'Datei löschen' : `${shown} Dateien löschen`),
    cancel: (n) => (n === 1 ? 'Datei behalten' : 'Dateien behalten'),
  },
  release: {
    title: (n, shown, name) =>
      n === 1 ? `${name} hochladen?` : `${shown} zurückgehaltene Dateien hochladen?`,
    publish: (n) =>
      n === 1
        ? 'Wer den Link hat, kann diese Datei lesen, und Links können weitergegeben werden.'
        : 'Wer die Links hat, kann diese Dateien lesen, und Links können weitergegeben werden.',
    why: (why) => `Die Datei ${why}.`,
    secret: (rule) => `Vermutlich Zugangsdaten: ${secretRuleName(rule)}.`,
    byName: 'Der Name passt zur Regel.',
    inside: (name) => `Das Archiv enthält ${name}.`,
    line: (n, text) => `Zeile ${n}: ${text}`,
    more: (n, shown) => (n === 1 ? 'und 1 weitere' : `und ${shown} weitere`),
    confirm: 'Trotzdem hochladen',
    cancel: 'Weiter zurückhalten',
  },
  changed: {
    title: (n, shown, name) =>
      n === 1 ? `${name} hat sich geändert. Hochladen?` : `${shown} Dateien haben sich geändert. Hochladen?`,
    detail:
      'Ein früherer Link öffnet die Version vor der Änderung. Wenn du eine Version ersetzt, funktioniert ihr Link nicht mehr, sobald sie eine Stunde lang niemand heruntergeladen hat.',
    newLink: 'Mit neuem Link hochladen',
    replace: 'Ersetzen',
    keep: 'Nicht hochladen',
    cancel: 'Später entscheiden',
  },
  guard: {
    title: 'Weniger Dateien zurückhalten?',
    allow: (patterns) => `Nicht mehr auf Zugangsdaten geprüft: ${patterns}`,
    hold: (patterns) => `Nicht mehr zurückgehalten: ${patterns}`,
    detail: 'Passende Dateien können dann ohne deine Freigabe hochgeladen werden.',
    confirm: 'Muster ändern',
    cancel: 'Muster behalten',
  },
  rules: {
    title: (folder) => `Weniger Dateien in ${folder} ignorieren?`,
    removed: (patterns) => `Entfernt: ${patterns}`,
    added: (patterns) => `Hinzugefügt: ${patterns}`,
    limits: 'Größere Dateien oder andere Typen sind erlaubt.',
    detail:
      'Dateien, die nicht mehr ignoriert werden, werden hochgeladen. Wer ihren Link hat, kann sie öffnen.',
    confirm: 'Regeln ändern',
    cancel: 'Regeln behalten',
  },
  move: {
    title: (host) => `Ab jetzt zu ${host} hochladen?`,
    detail: (from, to, isRunning) =>
      [
        isRunning ? `Slipway lädt derzeit zu ${from} hoch.` : `Zu ${from} wird derzeit nichts hochgeladen.`,
        `Nach dem Wechsel gehen neue Uploads zu ${to}.`,
        `Links und wartende Dateien bleiben bei ${from}${isRunning ? ', und dort geht es im Hintergrund weiter' : ''}.`,
        'Du kannst jederzeit zurückwechseln.',
      ].join(' '),
    confirm: { service: 'Dienst wechseln', account: 'Konto wechseln' },
    cancel: (host) => `Bei ${host} bleiben`,
  },
  connect: {
    title: (host) => `Diesen API-Schlüssel bei ${host} prüfen?`,
    detail: (from, to) =>
      `Slipway lädt zu ${from} hoch. Der im Fenster eingegebene Schlüssel wird an ${to} gesendet.`,
    confirm: 'Schlüssel prüfen',
  },
  signOut: {
    title: (name) => `Von ${name} abmelden?`,
    detail:
      'Der API-Schlüssel wird von diesem Computer entfernt. Uploads warten, bis du ihn wieder eingibst. Dateien, Links und überwachte Ordner bleiben.',
    stored:
      'Der API-Schlüssel wird aus dem Schlüsselbund entfernt. Die Umgebungsvariable SLIPWAY_API_KEY liefert weiterhin einen Schlüssel, den Slipway weiter verwendet.',
    confirm: 'Abmelden',
  },
  trialEnd: {
    title: 'Ausprobieren beenden?',
    detail: common.trialEndText,
    confirm: 'Beenden',
    cancel: 'Weiter ausprobieren',
  },
  trialFiles: {
    title: (n, shown) =>
      n === 1
        ? '1 Datei aus dem Ausprobieren nach dem Verbinden hochladen?'
        : `${shown} Dateien aus dem Ausprobieren nach dem Verbinden hochladen?`,
    detail:
      'Ihre Links gelten dann überall. Bis dahin zeigt der erste Bildschirm sie und kann sie verwerfen.',
    leave: 'Weglassen',
    take: 'Hochladen',
    cancel: 'Weiter ausprobieren',
  },
  discard: {
    title: (n, shown) => (n === 1 ? '1 Datei verwerfen?' : `${shown} Dateien verwerfen?`),
    detail:
      'Eingefügtes wird endgültig gelöscht. Abgelegte Dateien bleiben, wo sie sind, werden aber nicht hochgeladen.',
    confirm: 'Verwerfen',
    cancel: 'Behalten',
  },
  watch: {
    title: (folder) => `${folder} überwachen?`,
    detail: 'Dateien, die du dort speicherst, werden hochgeladen. Wer ihren Link hat, kann sie öffnen.',
    existing: 'Auch die Dateien, die schon dort sind, werden hochgeladen.',
    ignored: (patterns) => `Ignoriert: ${patterns}`,
    confirm: 'Ordner überwachen',
  },
  replace: {
    title: (folder) => `Geänderte Dateien in ${folder} ersetzen?`,
    detail:
      'Ändert sich eine Datei, wird ihre vorige Version beim Dienst gelöscht, sobald sie eine Stunde lang niemand heruntergeladen hat. Der vorige Link funktioniert dann nicht mehr.',
    confirm: 'Dateien ersetzen',
    cancel: 'Links behalten',
  },
  changes: {
    title: (folder) => `Geänderte Dateien in ${folder} ohne Nachfrage hochladen?`,
    detail:
      'Jede neue Version einer Datei wird mit einem neuen Link hochgeladen. Wer ihn hat, kann sie öffnen.',
    confirm: 'Änderungen hochladen',
    cancel: 'Einstellung behalten',
  },
  grace: {
    title: (folder) => `Neue Dateien in ${folder} früher hochladen?`,
    detail: (before, n, shown) =>
      n === 0
        ? `Sie warten nicht mehr ${before} Sekunden. Ihr Upload lässt sich dann nicht mehr vorher abbrechen.`
        : `Sie warten ${shown} statt ${before} Sekunden. Es bleibt weniger Zeit, ihren Upload abzubrechen.`,
    confirm: 'Früher hochladen',
    cancel: 'Wartezeit behalten',
  },
  after: {
    title: (folder) => `Dateien nach dem Upload aus ${folder} verschieben?`,
    toBin: 'Jede Datei kommt in den Papierkorb, sobald sie hochgeladen ist.',
    to: (target) => `Jede Datei kommt nach ${target}, sobald sie hochgeladen ist.`,
    detail: 'Ihre Links funktionieren weiter. Das gilt für Dateien, die ab jetzt hochgeladen werden.',
    confirm: 'Dateien verschieben',
    cancel: 'Dateien behalten',
  },
  drop: {
    title: (n, shown) => (n === 1 ? 'Dieses Objekt hochladen?' : `Diese ${shown} Objekte hochladen?`),
    detail: (n) =>
      n === 1
        ? 'Es gehört zum System oder zu einem Programm, ist versteckt oder enthält deinen ganzen persönlichen Ordner. Wer den Link hat, kann es öffnen.'
        : 'Sie gehören zum System oder zu Programmen, sind versteckt oder enthalten deinen ganzen persönlichen Ordner. Wer die Links hat, kann sie öffnen.',
    confirm: 'Hochladen',
  },
  many: {
    detail:
      'In welcher Reihenfolge sollen sie hochgeladen werden? „Ich warte“ fügt sie pausiert hinzu. Starte sie mit „Fortsetzen“ unter „Übertragungen“.',
    orders: { newest: 'Neueste zuerst', smallest: 'Kleinste zuerst', name: 'Nach Name' },
    wait: 'Ich warte',
    waits: '„Ich warte“ fügt sie pausiert hinzu. Starte sie mit „Fortsetzen“ unter „Übertragungen“.',
  },
  proxy: {
    title: (proxy) => `Alle Anfragen über ${proxy} senden?`,
    detail:
      'Der Proxy erfährt, mit welchen Adressen sich Slipway verbindet, und kann mitlesen, was nicht verschlüsselt ist.',
    confirm: 'Proxy verwenden',
    cancel: 'Einstellung behalten',
  },
  template: {
    title: 'Links in diesem Format kopieren?',
    detail: 'In einem Terminal eingefügt, könnte es einen Befehl ausführen.',
    confirm: 'Format verwenden',
    cancel: 'Format behalten',
  },
  noUpdateChecks: {
    title: 'Nicht mehr nach neuen Versionen suchen?',
    detail: 'Neue Versionen können Sicherheitslücken schließen.',
    confirm: 'Nicht mehr suchen',
    cancel: 'Weiter suchen',
  },
  cancel: common.cancel,
  uploadAndCopyLink: 'Hochladen und Link kopieren',
  commandLine: {
    linked: {
      title: 'Das Befehlszeilenprogramm ist installiert',
      hint: 'Gib in einem neuen Terminalfenster slipway help ein.',
    },
    'not-installed': {
      title: 'Das Befehlszeilenprogramm konnte nicht installiert werden',
      hint: 'Bewege Slipway in den Ordner „Programme“ und öffne es von dort.',
    },
    taken: {
      title: 'Das Befehlszeilenprogramm konnte nicht installiert werden',
      hint: 'Ein anderes Programm heißt /usr/local/bin/slipway. Benenne es um und versuche es dann erneut.',
    },
    refused: {
      title: 'Das Befehlszeilenprogramm konnte nicht installiert werden',
      hint: 'Nur Administratoren können es zu /usr/local/bin hinzufügen.',
    },
  },
  folders: {
    title: (n, shown, from) =>
      n === 1
        ? `Was geschieht mit dem überwachten Ordner von ${from}?`
        : `Was geschieht mit den ${shown} überwachten Ordnern von ${from}?`,
    keep: (n, from, isRunning) =>
      isRunning
        ? `Behalten: ${from} überwacht ${n === 1 ? 'ihn' : 'sie'} im Hintergrund weiter.`
        : `Behalten: ${from} überwacht ${n === 1 ? 'ihn' : 'sie'} weiter, lädt derzeit aber nichts hoch.`,
    move: (to, host, n, shown) => {
      const again =
        n === 0
          ? 'Vorhandene Dateien werden nicht erneut hochgeladen.'
          : n === null
            ? `Dort sind die Dateien neu: Sie werden erneut zu ${host} hochgeladen und bekommen einen weiteren Link.`
            : n === 1
              ? `Dort ist die Datei neu: Sie wird erneut zu ${host} hochgeladen und bekommt einen weiteren Link.`
              : `Dort sind die Dateien neu: Bis zu ${shown} werden erneut zu ${host} hochgeladen und bekommen einen weiteren Link.`
      return `Verschieben: Ab jetzt überwacht ${to}. ${again} Vorhandene Links bleiben gültig.`
    },
    moveWaiting: (host, n, shown) =>
      n === null
        ? `Noch wartende Dateien werden zu ${host} hochgeladen.`
        : n === 1
          ? `Die noch wartende Datei wird zu ${host} hochgeladen.`
          : `${shown} noch wartende Dateien werden zu ${host} hochgeladen.`,
    stop: 'Beenden: Hochgeladene Dateien und ihre Links bleiben. Noch wartende Dateien werden nicht hochgeladen.',
    keepDo: (from) => `Bei ${from} behalten`,
    moveDo: (to) => `Zu ${to} verschieben`,
    stopDo: 'Überwachung beenden',
    cancel: 'Abbrechen',
  },
  removal: {
    title: (name) => `${name} von diesem Computer entfernen?`,
    goes: 'Der API-Schlüssel und die Liste der Uploads werden von diesem Computer gelöscht.',
    folders: (n, shown) =>
      n === 1 ? '1 Ordner wird nicht mehr überwacht.' : `${shown} Ordner werden nicht mehr überwacht.`,
    open: (n, shown) =>
      n === 1
        ? '1 wartende Datei wird nicht hochgeladen.'
        : `${shown} wartende Dateien werden nicht hochgeladen.`,
    deletions: (n, shown) =>
      n === 1
        ? '1 Datei, die du gelöscht hast, ist noch beim Dienst und bleibt dort.'
        : `${shown} Dateien, die du gelöscht hast, sind noch beim Dienst und bleiben dort.`,
    pastes: (n, shown) =>
      n === 1
        ? '1 eingefügter oder per Pipe übergebener Inhalt, der nicht hochgeladen wurde, wird endgültig gelöscht.'
        : `${shown} eingefügte oder per Pipe übergebene Inhalte, die nicht hochgeladen wurden, werden endgültig gelöscht.`,
    stays: 'Dateien beim Dienst, ihre Links und die Originale auf diesem Computer bleiben.',
    othersStay: 'Dateien beim Dienst, ihre Links und alle anderen Originale auf diesem Computer bleiben.',
    confirm: 'Konto entfernen',
    cancel: 'Konto behalten',
  },
  internalError: {
    title: 'In Slipway ist ein interner Fehler aufgetreten.',
    detail: (log) =>
      `Uploads laufen weiter. Wenn das Fenster nicht reagiert, beende Slipway und starte es neu. Einzelheiten stehen im Protokoll:\n${log}`,
  },
  noSandbox: {
    title: 'Slipway läuft ohne die Sandbox von Chromium.',
    hint: 'Dieses System erlaubt sie dem AppImage nicht, oder sie wurde abgeschaltet. Mit dem .deb-Paket läuft Slipway in der Sandbox.',
  },
  silentBus: {
    title: 'Der Sitzungsbus des Desktops antwortet nicht.',
    hint: 'Slipway läuft ohne Symbol in der Leiste, Mitteilungen und Schlüsselbund. Melde dich neu am Desktop an und starte dann Slipway.',
  },
  missingFile: {
    title: (path) => `${path} existiert nicht`,
    hint: 'Es wurde nichts hochgeladen.',
  },
  trialEnded: {
    title: 'Das Ausprobieren ist beendet.',
    hint: 'Der Dienst dafür wurde unerwartet beendet. Verbinde ein Konto oder versuche es erneut.',
  },
  updates: {
    found: {
      title: (version) => `Slipway ${version} ist verfügbar.`,
      hint: 'Unter Einstellungen → Über Slipway steht, was neu ist. Dort wird es auch installiert.',
    },
    updated: {
      title: (version) => `Slipway wurde auf ${version} aktualisiert.`,
      hint: 'Wartende Uploads gehen weiter.',
    },
    replaced: {
      title: 'Eine neue Version von Slipway wurde installiert.',
      hint: 'Beende und starte Slipway, um sie zu verwenden.',
    },
    goBack: {
      title: (version) => `Slipway ${version} wurde nach dem Update unerwartet beendet.`,
      detail: (from) =>
        `Du kannst zu Version ${from} zurückkehren. Dateien, Links und Einstellungen bleiben, wie sie sind.`,
      confirm: (from) => `Zurück zu ${from}`,
      cancel: 'Neue Version behalten',
    },
  },
  autostartFailed: {
    title: '„Bei der Anmeldung öffnen“ konnte nicht geändert werden.',
    hint: 'Prüfe freien Speicherplatz und Zugriffsrechte und ändere die Einstellung erneut.',
  },
  settingsAside: {
    title: 'Die Einstellungen konnten nicht gelesen werden.',
    hint: 'Slipway verwendet die Vorgaben; die alte Datei liegt im Datenordner. Verbinde dich erneut, um die Adresse festzulegen.',
  },
  paste: {
    names: common.pasteNames,
    title: 'Kopierten Text als Datei hochladen?',
    titleDropped: 'Abgelegten Text als Datei hochladen?',
    detail: (name) => `Daraus wird „${name}“. Wer den Link hat, kann ihn lesen.`,
    confirm: 'Hochladen',
    cancel: 'Abbrechen',
    dontAsk: 'Nicht mehr fragen',
  },
}
