"use strict";
// The page's words; the phone's own language decides what stands on its screen, the browser's what stands around it.
const WORDS = {
  en: {
    title: "Phone", phones: "Phones", device: "Simulated iPhone", openList: "Open the notification list",
    home: "Home", hint: "Click a notification to open it, ⋯ for its buttons, × to clear it.",
    time: "Time", nextNine: "To 09:00", timeOfDay: "Time of day", go: "Go",
    travelling: "Moving the clocks on…", phone: "Phone", settings: "Settings of the app", app: "App",
    journal: "What happened", locked: "Locked", airplane: "Airplane mode", focus: "Focus", muted: "Silent",
    lowPower: "Low Power Mode", allow: "Allow notifications", banners: "Banners", lockScreen: "Lock screen",
    list: "Notification list", sounds: "Sounds", badges: "Badges", open: "Open", leave: "Home", quit: "Force-quit",
    reinstall: "Reinstall", state: "State", pending: (count) => (count === 1 ? "1 reminder waits" : `${count} reminders wait`), noApp: "No app is installed.",
    gone: "The phone does not answer. Is it still running?", none: "No notifications", clearAll: "Clear all",
    unlock: "Unlock", reply: "Send", cancel: "Cancel", more: "Buttons of the notification", clear: "Clear",
    keep: "Keep", turnOff: "Turn off", yes: "Allow", no: "Don't Allow", close: "Close",
    ask: (app) => `“${app}” would like to send you notifications`,
    askText: "Notifications may include alerts, sounds and icon badges.",
    inFront: "The app is in front. Pushes come as its delegate says.", silent: "silent", now: "now",
    states: {
      "not-running": "not running", notRunning: "not running", launching: "launching", active: "in front",
      inactive: "inactive", background: "in the background", suspended: "suspended",
    },
  },
  zh: {
    title: "手机", phones: "手机", device: "模拟 iPhone", openList: "打开通知中心",
    home: "主屏幕", hint: "点通知可打开，⋯ 显示按钮，× 清除。",
    time: "时间", nextNine: "到 09:00", timeOfDay: "时刻", go: "前往",
    travelling: "时钟正在前进…", phone: "手机", settings: "应用设置", app: "应用",
    journal: "经过", locked: "锁定", airplane: "飞行模式", focus: "专注模式", muted: "静音",
    lowPower: "低电量模式", allow: "允许通知", banners: "横幅", lockScreen: "锁定屏幕",
    list: "通知中心", sounds: "声音", badges: "角标", open: "打开", leave: "主屏幕", quit: "强制退出",
    reinstall: "重新安装", state: "状态", pending: (count) => `${count} 个提醒待发`, noApp: "没有安装应用。",
    gone: "手机没有应答，还在运行吗？", none: "没有通知", clearAll: "全部清除",
    unlock: "解锁", reply: "发送", cancel: "取消", more: "通知的按钮", clear: "清除",
    keep: "保留", turnOff: "关闭", yes: "允许", no: "不允许", close: "关闭",
    ask: (app) => `“${app}”想给你发送通知`,
    askText: "“通知”可能包括提醒、声音和图标标记。",
    inFront: "应用在前台，推送如何显示由它决定。", silent: "静音", now: "现在",
    states: {
      "not-running": "未运行", notRunning: "未运行", launching: "启动中", active: "前台",
      inactive: "非活跃", background: "后台", suspended: "已挂起",
    },
  },
};
