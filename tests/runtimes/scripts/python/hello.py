print("héllo ✓ 日本")
